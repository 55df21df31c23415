import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEtcdClient } from '../etcd3/client/etcd3-client.ts';

/** An etcd process of its own, with an empty data directory. */
export interface RealEtcd {
  /** `http://127.0.0.1:PORT` */
  readonly endpoint: string;
  /** Kills it at once (SIGKILL); the data stay. */
  kill(): Promise<void>;
  /** Starts it again on the same port and data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise(resolve => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return port;
}

/**
 * Starts the `etcd` binary of the PATH (or ETCD_BINARY).
 * @throws Error when there is none: the tests that need it must fail, not pass unrun.
 */
export async function startRealEtcd(): Promise<RealEtcd> {
  const directory = await mkdtemp(join(tmpdir(), 'kubechain-etcd-'));
  const [clientPort, peerPort] = [await freePort(), await freePort()];
  const endpoint = `http://127.0.0.1:${clientPort}`;
  const peer = `http://127.0.0.1:${peerPort}`;
  const binary = process.env['ETCD_BINARY'] ?? 'etcd';
  let running: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const child = spawn(binary, [
      '--data-dir', join(directory, 'data'), '--listen-client-urls', endpoint, '--advertise-client-urls', endpoint,
      '--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', `default=${peer}`,
      '--log-level', 'error',
    ], { stdio: 'ignore' });
    running = child;
    let failure: string | undefined;
    child.once('error', error => { failure = `etcd cannot be started (${binary}): ${error.message}`; });
    child.once('exit', code => { failure ??= `etcd exited with code ${String(code)}`; });
    const client = createEtcdClient({ endpoints: [endpoint] });
    try {
      const deadline = Date.now() + 20_000;
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
  };
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    const child = running;
    running = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise(resolve => child.once('exit', resolve));
    child.kill(signal);
    await exited;
  };
  await start();
  return {
    endpoint,
    kill: () => end('SIGKILL'),
    restart: start,
    async stop() {
      await end('SIGKILL');
      await rm(directory, { recursive: true, force: true });
    },
  };
}
