/**
 * The most finalizers that a condition tells of, and letters of them. Thousands in each of thousands of objects would
 * be gigabytes here, and make the namespace larger than an object may be, so that its conditions could not be written.
 */
const MOST = 1_000;
const MOST_LETTERS = 100_000;

/** How many objects each finalizer holds. Of more finalizers than a condition can name, the first are counted. */
export class FinalizerCounts {
  readonly #counts = new Map<string, number>();
  #letters = 0;

  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  add(finalizer: string, objects = 1): void {
    const known = this.#counts.get(finalizer);
    if (known === undefined) {
      if (this.#counts.size >= MOST || this.#letters + finalizer.length > MOST_LETTERS) return;
      this.#letters += finalizer.length;
    }
    this.#counts.set(finalizer, (known ?? 0) + objects);
  }
}
