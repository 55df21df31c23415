import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeWebhookKubeconfig } from '../harness/local-https.ts';
import { attackSuite } from './attack-suite.ts';
import { peerRows, startPeers, type Peers } from './peer-rows.ts';

let peers: Peers;

/** A webhook that says who callers are, one that says what they may do, one that is told of it, and an issuer. */
async function flags(folder: string): Promise<readonly string[]> {
  peers = await startPeers();
  const { certificate, port } = peers;
  const kubeconfig = (path: string): string =>
    writeWebhookKubeconfig(join(folder, `${path}.kubeconfig`), {
      certificate,
      url: `https://localhost:${port}/${path}`,
    });
  const authority = join(folder, 'issuer.crt');
  writeFileSync(authority, certificate);
  const policy = join(folder, 'policy.json');
  writeFileSync(
    policy,
    JSON.stringify({ kind: 'Policy', apiVersion: 'audit.k8s.io/v1', rules: [{ level: 'RequestResponse' }] }),
  );
  return [
    `--authentication-token-webhook-config-file=${kubeconfig('authn')}`,
    '--authentication-token-webhook-version=v1',
    '--authorization-mode=RBAC,Webhook',
    `--authorization-webhook-config-file=${kubeconfig('authz')}`,
    '--authorization-webhook-version=v1',
    `--audit-policy-file=${policy}`,
    `--audit-webhook-config-file=${kubeconfig('audit')}`,
    '--audit-webhook-batch-max-wait=1s',
    `--oidc-issuer-url=https://localhost:${port}/issuer`,
    '--oidc-client-id=hostile',
    `--oidc-ca-file=${authority}`,
  ];
}

attackSuite('attacks by those who are asked', { flags, rows: peerRows(() => peers) }, () => {
  after(() => peers?.stop());
});
