interface Read {
  readonly promise: Promise<number>;
  readonly resolve: (revision: number) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Revision reads shared by concurrent requests: a request gets the result of a read that started after the request
 * arrived, so the result is never older than the request. At most one read is under way and one is being gathered:
 *
 *   request ─▶ gathering ──(end of this turn of the event loop, and the read before is over)──▶ under way ─▶ result
 */
export class SharedRevision {
  readonly #read: () => Promise<number>;
  #gathering: Read | undefined;
  #underWay = false;
  #reads = 0;

  constructor(read: () => Promise<number>) {
    this.#read = read;
  }

  /** Reads made so far. */
  get reads(): number {
    return this.#reads;
  }

  /** A revision that the store had after this call. */
  current(): Promise<number> {
    if (this.#gathering !== undefined) return this.#gathering.promise;
    this.#gathering = Promise.withResolvers<number>();
    // Requests whose bytes arrived in the same turn of the loop are handled before setImmediate and share the read.
    if (!this.#underWay) setImmediate(this.#start);
    return this.#gathering.promise;
  }

  readonly #start = (): void => {
    const read = this.#gathering;
    if (read === undefined || this.#underWay) return;
    this.#gathering = undefined;
    this.#underWay = true;
    this.#reads++;
    this.#read()
      .then(read.resolve, read.reject)
      .finally(() => {
        this.#underWay = false;
        this.#start();
      });
  };
}
