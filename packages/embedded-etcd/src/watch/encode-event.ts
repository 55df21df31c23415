import type { KeyRecord, StoreEvent } from '../mvcc/key-record.ts';
import type { MvccStore } from '../mvcc/mvcc-store.ts';
import type { KeyValue } from '../proto/kv.ts';
import { EventMessage, EventType } from '../proto/kv.ts';
import { encode } from '../proto/message.ts';

/**
 * The encoded event, made once for all watchers that want it in this form.
 * etcd reads the previous version at the revision before the event; when that
 * revision is compacted the event goes out without it.
 */
export function encodeEvent(store: MvccStore, event: StoreEvent, withPrevious: boolean): Uint8Array {
  const readable = event.record.modRevision - 1 >= store.compactRevision;
  if (withPrevious && readable && event.previous !== undefined)
    return (event.encodedWithPrevious ??= toBytes(store, event, event.previous));
  return (event.encoded ??= toBytes(store, event, undefined));
}

/** Lets go of the encoded forms once the watchers of the moment have them. */
export function dropEncoded(events: readonly StoreEvent[]): void {
  for (const event of events) {
    event.encoded = undefined;
    event.encodedWithPrevious = undefined;
  }
}

function toBytes(store: MvccStore, event: StoreEvent, previous: KeyRecord | undefined): Uint8Array {
  const deleted = event.record.version === 0;
  const kv = keyValue(event.record, deleted ? undefined : store.value(event.record));
  const value = previous === undefined ? undefined : store.value(previous);
  const prevKv = previous === undefined || value === undefined ? undefined : keyValue(previous, value);
  const size = 128 + 2 * kv.key.length + kv.value.length + (prevKv?.value.length ?? 0);
  return encode(EventMessage, { type: deleted ? EventType.delete : EventType.put, kv, prevKv }, size);
}

const NO_VALUE = new Uint8Array(0);

function keyValue(record: KeyRecord, value: Uint8Array | undefined): KeyValue {
  return {
    key: record.key,
    createRevision: record.createRevision,
    modRevision: record.modRevision,
    version: record.version,
    value: value ?? NO_VALUE,
    lease: record.lease,
  };
}
