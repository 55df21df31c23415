import { FairQueue } from './fair-queue.ts';

/**
 * Whose turn of the event loop it is: however many requests have a long step to make, one of them is made between two
 * looks at what has come in, so that others wait for one step at most. Users take turns.
 */
export class TurnQueue {
  readonly #waiting = new FairQueue<() => void>();
  #scheduled = false;

  /** Resolves when the loop has been around, and it is this user's turn. */
  take(user: string): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(user, resolve);
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    // What is set within one is run a turn later: sockets are read in between.
    setImmediate(() => {
      this.#scheduled = false;
      this.#waiting.shift()?.();
      if (this.#waiting.peek() !== undefined) this.#schedule();
    });
  }
}
