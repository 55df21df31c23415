import type { ObjectRecord } from '@kubechain/shared-storage';

/** Bytes of JSON from which on what defaults add to an object is counted: most objects get less. */
const countedFrom = 1024;

/**
 * What the defaults of definitions add to the stored objects that are in memory, which is as much as whoever changes a
 * definition likes: a default of 100 KB is a gigabyte for 10,000 small objects. A record is counted for as long as
 * somebody has it; what nobody has any more counts until its memory is collected.
 */
export class DefaultedBytes {
  readonly #most: number;
  /** Counts what is counted here as well. */
  readonly #whole: DefaultedBytes | undefined;
  readonly #gone = new FinalizationRegistry<number>((bytes) => {
    this.#add(-bytes);
  });
  #bytes = 0;

  constructor(most: number, whole?: DefaultedBytes) {
    this.#most = most;
    this.#whole = whole;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether there is room for so many more. */
  hasRoom(bytes: number): boolean {
    return bytes < countedFrom || (this.#bytes + bytes <= this.#most && this.#whole?.hasRoom(bytes) !== false);
  }

  /** A record that defaults have added so many to. */
  keep(record: ObjectRecord, bytes: number): void {
    if (bytes < countedFrom) return;
    this.#gone.register(record, bytes);
    this.#add(bytes);
  }

  #add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#whole !== undefined) this.#whole.#add(bytes);
  }
}
