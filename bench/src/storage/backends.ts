import { createEtcdClient } from '@kubechain/shared-storage/etcd';
import { Cacher, Etcd3Store } from '@kubechain/shared-storage/factory';
import type { StorageInterface } from '@kubechain/shared-storage';
import type { EtcdClient } from '@kubechain/shared-storage/etcd';
import { CallRecorder, startRealEtcd } from '@kubechain/shared-storage/testing';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { KEY_ROOT, config } from './pods.ts';

/** An etcd API to measure against, empty at first. */
export interface Backend {
  readonly name: string;
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** The embedded store in a process of its own, with fsync as in production. */
export async function embeddedBackend(): Promise<Backend> {
  const directory = await mkdtemp(join(tmpdir(), 'kubechain-bench-'));
  const main = join(dirname(createRequire(import.meta.url).resolve('@kubechain/embedded-etcd')), 'main.ts');
  const child = spawn(process.execPath, [main, '--data-file', join(directory, 'store.db'), '--listen', '127.0.0.1:0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const { endpoint } = JSON.parse(line.toString()) as { readonly endpoint: string };
  return {
    name: 'embedded',
    endpoint,
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** etcd from the PATH (or ETCD_BINARY), or one that is running already. */
export async function etcdBackend(endpoint: string | undefined): Promise<Backend> {
  if (endpoint !== undefined) return { name: 'etcd', endpoint, stop: () => Promise.resolve() };
  const etcd = await startRealEtcd();
  return { name: 'etcd', endpoint: etcd.endpoint, stop: () => etcd.stop() };
}

/** One storage under measurement, with its own connection and a count of what it asks of the backend. */
export interface Subject {
  readonly name: 'undecorated' | 'cached';
  readonly storage: StorageInterface;
  readonly calls: CallRecorder;
  close(): Promise<void>;
}

export function openClient(backend: Backend): EtcdClient {
  return createEtcdClient({ endpoints: [backend.endpoint] });
}

export async function openSubject(backend: Backend, name: Subject['name']): Promise<Subject> {
  const client = openClient(backend);
  const calls = new CallRecorder(client);
  const store = new Etcd3Store({
    client: calls,
    codec: config.codec,
    groupResource: config.groupResource,
    keyRoot: KEY_ROOT,
  });
  let storage: StorageInterface = store;
  if (name === 'cached') {
    const cacher = new Cacher({ storage: store, config, keyRoot: KEY_ROOT });
    await cacher.waitReady(60_000);
    storage = cacher;
  }
  return {
    name,
    storage,
    calls,
    close: async () => {
      await storage.close();
      await client.close();
    },
  };
}
