/**
 * One version of one key. `id` orders versions (several can share a revision);
 * `version` 0 marks a tombstone. `value` is absent while it is only on disk.
 */
export interface KeyRecord {
  readonly id: number;
  readonly key: string;
  readonly createRevision: number;
  readonly modRevision: number;
  readonly version: number;
  readonly lease: number;
  value: Uint8Array | undefined;
}

/** A change that a commit made: what the key became and what it was. */
export interface StoreEvent {
  /** The new version; a tombstone carries the key and its mod revision only. */
  readonly record: KeyRecord;
  /** The version before, if the key existed. */
  readonly previous: KeyRecord | undefined;
  /** The encoded `mvccpb.Event` without and with the previous version, filled by the first watcher that needs it. */
  encoded: Uint8Array | undefined;
  encodedWithPrevious: Uint8Array | undefined;
}
