/** A value as it was before it was stored. */
export interface Untransformed {
  readonly value: Uint8Array;
  /** Written with an older key or transformer: the next update writes it again even if nothing else changes. */
  readonly stale: boolean;
}

/**
 * Changes values on their way to and from the store (encryption at rest). The storage key is authenticated with the
 * value, so that a value cannot be moved to another key.
 *
 * Synchronous where the keys are at hand; a promise where they must be fetched (KMS).
 */
export interface ValueTransformer {
  /** @throws any Error when the value cannot be read; the store reports it as `CorruptObject`. */
  fromStorage(value: Uint8Array, key: string): Untransformed | Promise<Untransformed>;
  toStorage(value: Uint8Array, key: string): Uint8Array | Promise<Uint8Array>;
}
