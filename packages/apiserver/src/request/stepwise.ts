/** Work in steps, between which others may be served, and what comes of it. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** What comes of steps that are made once, by whoever first needs it. */
export class Stepwise<T extends object> {
  readonly #steps: Steps<T>;
  #made: T | undefined;
  /** What a step threw: generators that did have no more steps, and say nothing of it. */
  #failure: { readonly error: unknown } | undefined;

  constructor(steps: Steps<T>) {
    this.#steps = steps;
  }

  /**
   * Makes what is left of the steps. `rest` is asked between them: those who need it at the same time make them
   * together, each in its own turns, so that nobody waits for somebody who has gone.
   * @throws what a step does, to whoever comes next, too; what `rest` does: then the steps that are left are made by
   *   whoever comes next
   */
  make(rest: () => Promise<void> | undefined): T | Promise<T> {
    while (this.#made === undefined) {
      const { done, value } = this.#step();
      if (done === true) this.#made = value;
      else {
        const pause = rest();
        if (pause !== undefined) return pause.then(() => this.make(rest));
      }
    }
    return this.#made;
  }

  #step(): IteratorResult<undefined, T> {
    if (this.#failure !== undefined) throw this.#failure.error;
    try {
      return this.#steps.next();
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
  }

  /** Makes them at once. */
  makeNow(): T {
    return this.make(() => undefined) as T;
  }
}
