import { freePort } from '@kubechain/shared-storage/testing';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChain, type Chain } from '../harness/chain.ts';
import { Client } from '../harness/client.ts';
import { goTool } from '../harness/go-tools.ts';
import { startProgram, type Program } from '../harness/program.ts';

/** As much of a chain as a cluster needs. */
export type ControlPlane = Pick<Chain, 'dataDir' | 'kubeconfig' | 'port' | 'url'> & { stop(): Promise<unknown> };

const START_LIMIT_MS = 180_000;

/**
 * Starts etcd and kube-apiserver in the place of a chain, with the certificates that the chain would have: `flags` are
 * those that both know.
 */
export async function startKubeApiserver(flags: readonly string[]): Promise<ControlPlane> {
  const dataDir = mkdtempSync(join(tmpdir(), 'kubechain-reference-'));
  const programs: Program[] = [];
  const stop = async (): Promise<void> => {
    for (const program of programs.reverse()) await program.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const port = await freePort();
    const chain = await startChain({ dataDir, port, flags });
    await chain.stop();
    const [client, peer] = [`http://127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}`];
    const etcd = [
      `--data-dir=${join(dataDir, 'reference.etcd')}`,
      `--listen-client-urls=${client}`,
      `--advertise-client-urls=${client}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=default=${peer}`,
    ];
    programs.push(await startProgram(await goTool('etcd'), etcd, { ready: /ready to serve client requests/ }));
    programs.push(
      await startProgram(await goTool('kube-apiserver'), serverFlags({ dataDir, port, etcd: client, flags }), {
        ready: /Serving securely/,
        timeoutMs: START_LIMIT_MS,
      }),
    );
    const admin = Client.fromKubeconfig(chain.kubeconfig);
    try {
      await admin.until('/readyz', ({ status }) => status === 200, START_LIMIT_MS);
    } finally {
      admin.close();
    }
    return { dataDir, kubeconfig: chain.kubeconfig, port, url: chain.url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What `kubechain up` gives its servers, and kubeadm kube-apiserver. */
function serverFlags(options: {
  readonly dataDir: string;
  readonly port: number;
  readonly etcd: string;
  readonly flags: readonly string[];
}): readonly string[] {
  const pki = (file: string): string => join(options.dataDir, 'pki', file);
  return [
    `--etcd-servers=${options.etcd}`,
    `--secure-port=${options.port}`,
    `--tls-cert-file=${pki('apiserver.crt')}`,
    `--tls-private-key-file=${pki('apiserver.key')}`,
    `--client-ca-file=${pki('ca.crt')}`,
    `--requestheader-client-ca-file=${pki('front-proxy-ca.crt')}`,
    '--requestheader-allowed-names=front-proxy-client',
    '--requestheader-username-headers=X-Remote-User',
    '--requestheader-group-headers=X-Remote-Group',
    '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    `--proxy-client-cert-file=${pki('front-proxy-client.crt')}`,
    `--proxy-client-key-file=${pki('front-proxy-client.key')}`,
    `--kubelet-client-certificate=${pki('apiserver-kubelet-client.crt')}`,
    `--kubelet-client-key=${pki('apiserver-kubelet-client.key')}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${pki('sa.pub')}`,
    `--service-account-signing-key-file=${pki('sa.key')}`,
    '--authorization-mode=Node,RBAC',
    '--enable-admission-plugins=NodeRestriction',
    '--allow-privileged=true',
    ...options.flags,
  ];
}
