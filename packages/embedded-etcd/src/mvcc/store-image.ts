import type { KeyRecord } from './key-record.ts';

/**
 * What a store holds at one revision, for any number of stores to begin with: they share its records and values, which
 * nobody changes, and go on from its revision. What was before is compacted there.
 */
export interface StoreImage {
  /** In key order, each with its value. */
  readonly records: readonly KeyRecord[];
  /** The same for the history. */
  readonly rows: string;
  /** The same values by the versions' ids. */
  readonly values: ReadonlyMap<number, Uint8Array>;
  readonly revision: number;
  readonly nextId: number;
}
