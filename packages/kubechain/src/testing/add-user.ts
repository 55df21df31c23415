import { join } from 'node:path';
import { readKeyPair, writePrivateFile } from '../pki/key-pair-files.ts';
import { LaunchError } from '../launch-error.ts';
import { unlessAnswered, type JSONClient } from './json-client.ts';
import {
  kubeConfigData,
  kubeconfigOf,
  trustOf,
  type Credentials,
  type KubeConfigData,
  type ServerTrust,
} from './client-config.ts';

/** Somebody who may talk to the server; what they may do is up to RBAC. */
export interface TestUser {
  readonly name: string;
  readonly groups: readonly string[];
  readonly credentials: Credentials;
  /** Path of a kubeconfig. */
  readonly kubeconfig: string;
  /** The text of that file. */
  readonly kubeconfigText: string;
  /** For `loadFromOptions` of @kubernetes/client-node. */
  readonly kubeConfig: KubeConfigData;
}

/** Where users are made. */
export interface UserPlace extends ServerTrust {
  readonly url: string;
  readonly dataDir: string;
  readonly client: JSONClient;
  /** From then on certificates are valid, by the clock of the servers. */
  readonly nowMs: number;
}

const SERVICE_ACCOUNT = /^system:serviceaccount:([^:]+):([^:]+)$/;
const VALIDITY_DAYS = 365;

/**
 * Makes a user: with a client certificate that names the groups; `system:serviceaccount:NAMESPACE:NAME` with a token of
 * that service account, which is created with its namespace where it is not there.
 */
export async function addUser(place: UserPlace, name: string, groups: readonly string[]): Promise<TestUser> {
  const credentials = await credentialsOf(place, name, groups);
  const config = { server: place.url, ...trustOf(place), user: name, credentials };
  const kubeconfig = join(place.dataDir, `${encodeURIComponent(name)}.kubeconfig`);
  const kubeconfigText = kubeconfigOf(config);
  writePrivateFile(kubeconfig, kubeconfigText);
  return { name, groups, credentials, kubeconfig, kubeconfigText, kubeConfig: kubeConfigData(config) };
}

async function credentialsOf(place: UserPlace, name: string, groups: readonly string[]): Promise<Credentials> {
  const [, namespace, account] = SERVICE_ACCOUNT.exec(name) ?? [];
  if (namespace !== undefined && account !== undefined) {
    if (groups.length > 0) throw new LaunchError('Usage', `groups of '${name}' are those of service accounts`);
    return { kind: 'token', token: await serviceAccountToken(place.client, namespace, account) };
  }
  const pki = join(place.dataDir, 'pki');
  const issuer = readKeyPair({ certFile: join(pki, 'ca.crt'), keyFile: join(pki, 'ca.key') });
  if (issuer === undefined) throw new LaunchError('Certificates', `no certificate authority in '${pki}'`);
  // Loaded when it is needed: what makes certificates is most of what an environment would have to load.
  const { issueCertificate } = await import('../pki/issue-certificate.ts');
  const { cert, key } = await issueCertificate(
    { commonName: name, organization: groups, usage: 'client', validityDays: VALIDITY_DAYS, keyType: 'rsa' },
    { nowMs: place.nowMs, issuer },
  );
  return { kind: 'certificate', cert, key };
}

async function serviceAccountToken(client: JSONClient, namespace: string, name: string): Promise<string> {
  const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
  await unlessAnswered(
    409,
    client.send({
      method: 'POST',
      path: '/api/v1/namespaces',
      body: {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: namespace },
      },
    }),
  );
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } };
  await unlessAnswered(409, client.send({ method: 'POST', path: accounts, body: account }));
  const { status } = await client.send<{ readonly status: { readonly token: string } }>({
    method: 'POST',
    path: `${accounts}/${name}/token`,
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 86_400 } },
  });
  return status.token;
}
