import type { KeyRecord, StoreEvent } from '../mvcc/key-record.ts';
import type { MvccStore } from '../mvcc/mvcc-store.ts';
import type { KeyValue } from '../proto/kv.ts';
import { EventMessage, EventType } from '../proto/kv.ts';
import { encode } from '../proto/message.ts';

/** The encoded event, made once for all watchers that want it in this form. */
export function encodeEvent(store: MvccStore, event: StoreEvent, withPrevious: boolean): Uint8Array {
  if (withPrevious && hasReadablePrevious(store, event))
    return (event.encodedWithPrevious ??= toBytes(store, event, true));
  return (event.encoded ??= toBytes(store, event, false));
}

/**
 * What a watcher is told. etcd reads the previous version at the revision before the event; when that revision is
 * compacted the event goes out without it.
 */
export function eventMessage(store: MvccStore, event: StoreEvent, withPrevious: boolean): EventMessage {
  const { record } = event;
  const previous = withPrevious && hasReadablePrevious(store, event) ? event.previous : undefined;
  const deleted = record.version === 0;
  const kv = keyValue(record, deleted ? undefined : store.value(record));
  const value = previous === undefined ? undefined : store.value(previous);
  const prevKv = previous === undefined || value === undefined ? undefined : keyValue(previous, value);
  return { type: deleted ? EventType.delete : EventType.put, kv, prevKv };
}

/** Lets go of the encoded forms once the watchers of the moment have them. */
export function dropEncoded(events: readonly StoreEvent[]): void {
  for (const event of events) {
    event.encoded = undefined;
    event.encodedWithPrevious = undefined;
  }
}

function hasReadablePrevious(store: MvccStore, { previous, record }: StoreEvent): boolean {
  return previous !== undefined && record.modRevision - 1 >= store.compactRevision;
}

function toBytes(store: MvccStore, event: StoreEvent, withPrevious: boolean): Uint8Array {
  const message = eventMessage(store, event, withPrevious);
  const values = (message.kv?.value.length ?? 0) + (message.prevKv?.value.length ?? 0);
  return encode(EventMessage, message, 128 + 2 * event.record.key.length + values);
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
