import { startEmbeddedEtcd } from '@kubechain/embedded-etcd';
import type { EmbeddedEtcd } from '@kubechain/embedded-etcd';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contractCacher, storageContract } from '../testing/index.ts';

describe('Cacher on the embedded store', () => {
  let directory = '';
  let etcd: EmbeddedEtcd;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'kubechain-cacher-'));
    etcd = await startEmbeddedEtcd({ dataFile: join(directory, 'store.db'), unsafeNoFsync: true });
  });
  after(async () => {
    await etcd.close();
    await rm(directory, { recursive: true, force: true });
  });
  storageContract('Cacher over the embedded store', (setup) => contractCacher(etcd.endpoint, setup), { cached: true });
});
