/** Those who had as many turns, or more, are alike. */
const mostTurns = 100;

/**
 * Turns of the event loop for reads that decode many objects: however many there are, one of them goes on between two
 * looks at the sockets, first who has had fewest turns. So a short read does not wait for long ones.
 */
export class ReadTurns {
  /** By turns that were had. */
  readonly #waiting: (() => void)[][] = [];
  #scheduled = false;

  /** Resolves when it is the turn of a read that has had so many. */
  take(had: number): Promise<void> {
    return new Promise((resolve) => {
      (this.#waiting[Math.min(had, mostTurns)] ??= []).push(resolve);
      if (this.#scheduled) return;
      this.#scheduled = true;
      this.#soon();
    });
  }

  /** What is set within one is run a turn later: sockets are read in between. */
  #soon(): void {
    setImmediate(() => {
      const next = this.#waiting.find((some) => some !== undefined && some.length > 0)?.shift();
      this.#scheduled = next !== undefined;
      if (next === undefined) return;
      next();
      this.#soon();
    });
  }
}
