import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '../requests/client.ts';
import { processPSS, processUsage } from '../start-up/process-usage.ts';
import { pausing, type Contender } from './contender.ts';

/** Where kube-apiserver finds what it needs. */
export interface ReferenceOptions {
  /** Has kube-apiserver, and etcd unless that is on the PATH. */
  readonly programs: string;
  /** Of a chain that has been started in it: its certificates and keys are used here, too. */
  readonly dataDir: string;
  /** Where its own data go. */
  readonly storeDir: string;
  readonly ports: { readonly secure: number; readonly etcd: number; readonly peer: number };
}

/**
 * Starts kube-apiserver and etcd as they are by default.
 * @throws TypeError when they do not answer within some minutes
 */
export async function startReference({ dataDir, ports, programs, storeDir }: ReferenceOptions): Promise<Contender> {
  const startedMs = performance.now();
  const pki = (name: string): string => join(dataDir, 'pki', name);
  const etcd = existsSync(join(programs, 'etcd')) ? join(programs, 'etcd') : 'etcd';
  const [client, peer] = [`http://127.0.0.1:${ports.etcd}`, `http://127.0.0.1:${ports.peer}`];
  const children = new Map<string, ChildProcess>([
    [
      'etcd',
      run(etcd, {
        'data-dir': join(storeDir, 'etcd'),
        'listen-client-urls': client,
        'advertise-client-urls': client,
        'listen-peer-urls': peer,
        'initial-advertise-peer-urls': peer,
        'initial-cluster': `default=${peer}`,
        'log-level': 'error',
      }),
    ],
    [
      'kube-apiserver',
      run(join(programs, 'kube-apiserver'), {
        'etcd-servers': client,
        'secure-port': String(ports.secure),
        'bind-address': '127.0.0.1',
        'advertise-address': '127.0.0.1',
        'cert-dir': join(storeDir, 'certificates'),
        'tls-cert-file': pki('apiserver.crt'),
        'tls-private-key-file': pki('apiserver.key'),
        'client-ca-file': pki('ca.crt'),
        'service-account-issuer': 'https://kubernetes.default.svc.cluster.local',
        'service-account-key-file': pki('sa.pub'),
        'service-account-signing-key-file': pki('sa.key'),
        'service-cluster-ip-range': '10.96.0.0/16',
        'authorization-mode': 'RBAC',
      }),
    ],
  ]);
  const stop = async (): Promise<void> => {
    for (const child of [...children.values()].reverse()) {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }
  };
  try {
    await answers(dataDir, ports.secure);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    name: 'reference',
    dataDir,
    port: ports.secure,
    readyMs: performance.now() - startedMs,
    stop,
    ...pausing([...children.values()].map(({ pid }) => pid!)),
    memory: () => new Map([...children].map(([name, { pid }]) => [name, pid === undefined ? 0 : processPSS(pid)])),
    usage: () =>
      new Map(
        [...children].flatMap(([name, { pid }]) => {
          const usage = pid === undefined ? undefined : processUsage(pid);
          return usage === undefined ? [] : [[name, usage]];
        }),
      ),
  };
}

function run(program: string, flags: Readonly<Record<string, string>>): ChildProcess {
  return spawn(
    program,
    Object.entries(flags).map(([name, value]) => `--${name}=${value}`),
    { stdio: 'ignore' },
  );
}

/** Between two questions whether it is ready: what a start is measured to. */
const pollMs = 10;
/** kube-apiserver takes some seconds, on a busy machine many. */
const readyTimeoutMs = 180_000;

async function answers(dataDir: string, port: number): Promise<void> {
  const client = new Client(dataDir, port, 1);
  const deadline = performance.now() + readyTimeoutMs;
  try {
    for (;;) {
      try {
        await client.call('GET', '/readyz');
        return;
      } catch (error) {
        if (performance.now() > deadline) throw new TypeError('the reference does not answer', { cause: error });
        await delay(pollMs);
      }
    }
  } finally {
    client.close();
  }
}
