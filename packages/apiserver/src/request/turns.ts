/** A step that took less is not worth a turn of the loop; many more of them are what nobody notices. In ms. */
const SHORT_MS = 10;

/**
 * The turns of the event loop that one request takes. Each step on an object that is as large as a body may be (read,
 * defaulted, compared, admitted, validated, written) takes tens to hundreds of milliseconds; between them, others are
 * served.
 */
export class Turns {
  readonly #now: () => number;
  #since: number;

  /** @param now milliseconds of a clock that does not go back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#since = now();
  }

  /** To be awaited between two steps; undefined, which need not be, while what was done so far was short. */
  next(): Promise<void> | undefined {
    return this.#now() - this.#since < SHORT_MS ? undefined : this.#turn();
  }

  /** `step` with a turn before it and one behind it, where those before took long. */
  around<Args extends readonly unknown[]>(
    step: (...args: Args) => void | Promise<void>,
  ): (...args: Args) => void | Promise<void> {
    return (...args) => {
      const turn = this.next();
      return turn === undefined ? step(...args) : turn.then(() => step(...args)).then(() => this.next());
    };
  }

  #turn(): Promise<void> {
    return new Promise((resolve) => {
      // What came in meanwhile is read, and served, before this.
      setImmediate(() => {
        this.#since = this.#now();
        resolve();
      });
    });
  }
}
