import type { ResourceCodec } from '../storage/interfaces.ts';
import { Etcd3Store } from '../etcd3/store.ts';
import { MemoryEtcd } from './memory-etcd.ts';

/** What a storage in memory is for. */
export interface MemoryStorageOptions {
  /** Keys lie under it. Default `/registry`. */
  readonly keyRoot?: string;
  /** Shared by the storages of one spec, as servers share an etcd. Default: one of its own. */
  readonly etcd?: MemoryEtcd;
}

/** One resource's objects in memory, by the store that servers have: for specs of what stands on storage. */
export class MemoryStorage extends Etcd3Store {
  constructor(codec: ResourceCodec, { etcd = new MemoryEtcd(), keyRoot = '/registry' }: MemoryStorageOptions = {}) {
    super({ client: etcd, codec, keyRoot, groupResource: { group: '', resource: 'objects' } });
  }
}
