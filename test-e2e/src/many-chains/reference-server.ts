import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '@kubechain/shared-storage/testing';
import { Client } from '../harness/client.ts';
import type { ServedChain } from './many-chains-round.ts';

export interface ReferenceServerOptions {
  /** kube-apiserver. */
  readonly binary: string;
  readonly etcdServers: readonly string[];
  /** Data of a chain, whose authorities it shares. */
  readonly dataDir: string;
}

/** kube-apiserver itself as one of several servers of a store. */
export async function startReferenceServer(options: ReferenceServerOptions): Promise<ServedChain> {
  const port = await freePort();
  const pki = (file: string): string => join(options.dataDir, 'pki', file);
  const args = [
    `--etcd-servers=${options.etcdServers.join(',')}`,
    // The truth is read off the store as JSON.
    '--storage-media-type=application/json',
    '--bind-address=127.0.0.1',
    // Endpoints of service `kubernetes` may not be of the loopback range.
    '--advertise-address=192.0.2.3',
    `--secure-port=${port}`,
    `--tls-cert-file=${pki('apiserver.crt')}`,
    `--tls-private-key-file=${pki('apiserver.key')}`,
    `--client-ca-file=${pki('ca.crt')}`,
    `--requestheader-client-ca-file=${pki('front-proxy-ca.crt')}`,
    '--requestheader-username-headers=X-Remote-User',
    '--requestheader-group-headers=X-Remote-Group',
    '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${pki('sa.pub')}`,
    `--service-account-signing-key-file=${pki('sa.key')}`,
    '--service-cluster-ip-range=10.0.0.0/24',
    '--authorization-mode=Node,RBAC',
    '--disable-admission-plugins=ServiceAccount',
  ];
  let output = '';
  let child: ChildProcess;
  const exited = (): Promise<unknown> =>
    child.exitCode !== null || child.signalCode !== null
      ? Promise.resolve()
      : new Promise((resolve) => child.once('exit', resolve));
  const start = async (): Promise<void> => {
    child = spawn(options.binary, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString('utf8')).slice(-20_000);
    });
    const client = new Client(
      `https://127.0.0.1:${port}`,
      Client.identityOf(join(options.dataDir, 'admin.kubeconfig')),
    );
    try {
      await client.until('/readyz', ({ status }) => status === 200, 120_000);
    } finally {
      client.close();
    }
  };
  await start();
  return {
    port,
    async restart(signal) {
      const gone = exited();
      child.kill(signal);
      await gone;
      await start();
    },
    async stop() {
      const gone = exited();
      child.kill('SIGTERM');
      await Promise.race([gone, delay(20_000)]);
      child.kill('SIGKILL');
    },
    output: () => output,
  };
}
