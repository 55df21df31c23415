import type { ObjectRecord } from '../storage/interfaces.ts';

/** A watch event that many watchers get as one object, so that what is made of it once (its frame) serves all. */
export class SharedWatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly record: ObjectRecord;
  declare readonly previous?: ObjectRecord;
  /** Slot of `watchFrame`; nobody else reads or writes it. */
  frame: Uint8Array | undefined = undefined;

  constructor(type: 'ADDED' | 'MODIFIED' | 'DELETED', record: ObjectRecord, previous: ObjectRecord | undefined) {
    this.type = type;
    this.record = record;
    if (previous !== undefined) this.previous = previous;
  }
}
