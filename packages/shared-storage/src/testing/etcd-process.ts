import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createEtcdClient } from '../etcd-client/etcd3-client.ts';
import { freePort } from './free-port.ts';

/** A store in a process of its own, with a data directory that was empty at first. */
export interface EtcdProcess {
  /** `http://127.0.0.1:PORT` */
  readonly endpoint: string;
  /** Kills it at once (SIGKILL); the data stay. */
  kill(): Promise<void>;
  /** Starts it again on the same port and data; resolves when it answers. */
  restart(): Promise<void>;
  /** Kills it and removes the data. */
  stop(): Promise<void>;
}

/** How to run a store: the command and its arguments for a directory and ports that are free. */
interface StoreCommand {
  readonly command: string;
  readonly args: (place: {
    readonly directory: string;
    readonly clientPort: number;
    readonly peerPort: number;
  }) => readonly string[];
}

/**
 * Starts etcd.
 * @param binary default: `etcd` of the PATH, or what ETCD_BINARY names
 * @throws Error when there is none: the tests that need it must fail, not pass unrun.
 */
export function startRealEtcd(binary = process.env['ETCD_BINARY'] ?? 'etcd'): Promise<EtcdProcess> {
  return startProcess({
    command: binary,
    args: ({ directory, clientPort, peerPort }) => {
      const [client, peer] = [`http://127.0.0.1:${clientPort}`, `http://127.0.0.1:${peerPort}`];
      return [
        '--data-dir',
        join(directory, 'data'),
        '--listen-client-urls',
        client,
        '--advertise-client-urls',
        client,
        '--listen-peer-urls',
        peer,
        '--initial-advertise-peer-urls',
        peer,
        '--initial-cluster',
        `default=${peer}`,
        // Its only member elects itself sooner after a restart.
        '--heartbeat-interval',
        '50',
        '--election-timeout',
        '250',
        // Clients in tests notice a dead connection sooner than etcd likes to be asked (5 s).
        '--grpc-keepalive-min-time',
        '10ms',
        '--log-level',
        'error',
      ];
    },
  });
}

/** Starts the embedded store as users run it: a process of its own, with fsync. */
export function startEmbeddedProcess(): Promise<EtcdProcess> {
  const main = join(dirname(createRequire(import.meta.url).resolve('@kubechain/embedded-etcd')), 'main.ts');
  return startProcess({
    command: process.execPath,
    args: ({ directory, clientPort }) => [
      main,
      '--data-file',
      join(directory, 'store.db'),
      '--listen',
      `127.0.0.1:${clientPort}`,
    ],
  });
}

async function startProcess({ command, args }: StoreCommand): Promise<EtcdProcess> {
  const directory = await mkdtemp(join(tmpdir(), 'kubechain-etcd-'));
  const [clientPort, peerPort] = [await freePort(), await freePort()];
  const endpoint = `http://127.0.0.1:${clientPort}`;
  let running: ChildProcess | undefined;
  const end = async (): Promise<void> => {
    const child = running;
    running = undefined;
    if (child === undefined || child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await exited;
  };
  const start = (): Promise<void> => {
    running = spawn(command, args({ directory, clientPort, peerPort }), { stdio: 'ignore' });
    return answers(running, { command, endpoint });
  };
  const stop = async (): Promise<void> => {
    await end();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    await start();
  } catch (error) {
    await stop();
    throw error;
  }
  return { endpoint, kill: end, restart: start, stop };
}

/** Resolves when the process answers reads. @throws Error when it ends or does not within 60 s */
async function answers(
  child: ChildProcess,
  { command, endpoint }: { readonly command: string; readonly endpoint: string },
): Promise<void> {
  let failure: string | undefined;
  child.once('error', (error) => {
    failure = `etcd cannot be started (${command}): ${error.message}`;
  });
  child.once('exit', (code) => {
    failure ??= `etcd (${command}) exited with code ${String(code)}`;
  });
  const client = createEtcdClient({ endpoints: [endpoint], unreachableRetryMs: 100 });
  try {
    const deadline = Date.now() + 60_000;
    for (;;) {
      if (failure !== undefined) throw new Error(failure);
      try {
        await client.range({ key: 'ready' }, { timeoutMs: 1_000 });
        return;
      } catch (error) {
        if (Date.now() > deadline) throw error;
      }
    }
  } finally {
    await client.close();
  }
}
