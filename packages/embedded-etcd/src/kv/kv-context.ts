import type { Lessor } from '../lease/lessor.ts';
import type { KeyRecord } from '../mvcc/key-record.ts';
import type { MvccStore } from '../mvcc/mvcc-store.ts';
import type { SpaceQuota } from '../mvcc/space-quota.ts';
import type { KeyValue } from '../proto/kv.ts';
import type { Identity } from '../proto/response-header.ts';

/** What the KV operations work on. */
export interface KvContext {
  readonly store: MvccStore;
  readonly quota: SpaceQuota;
  readonly lessor: Lessor;
  readonly identity: Identity;
}

const NO_VALUE = new Uint8Array(0);

/** A record with its value, as clients see it. */
export function toKeyValue(store: MvccStore, record: KeyRecord, keysOnly = false): KeyValue {
  return {
    key: record.key,
    createRevision: record.createRevision,
    modRevision: record.modRevision,
    version: record.version,
    value: keysOnly ? NO_VALUE : (store.value(record) ?? NO_VALUE),
    lease: record.lease,
  };
}
