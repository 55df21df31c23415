/** What went wrong in a function that a server called. */
export interface FunctionError {
  /** Name of the function: that of its webhook, or of its group version. */
  readonly function: string;
  /** What it was called for, in one line. */
  readonly call: string;
  /** What it threw, as it was thrown; a FunctionTimeoutError where it took too long. */
  readonly error: Error;
}

/** The server gave up waiting for a function. Its stack is that of the call which registered the function. */
export class FunctionTimeoutError extends Error {
  override readonly name = 'FunctionTimeoutError';
}

/** Errors of functions, until somebody asks for them. */
export class FunctionErrors {
  #errors: FunctionError[] = [];

  add(error: FunctionError): void {
    this.#errors.push(error);
  }

  /** Those that nobody has asked for yet, of one function or of all, oldest first. */
  take(name?: string): readonly FunctionError[] {
    const wanted = ({ function: of }: FunctionError): boolean => name === undefined || of === name;
    const taken = this.#errors.filter(wanted);
    this.#errors = this.#errors.filter((error) => !wanted(error));
    return taken;
  }

  /** @throws what a function has thrown, if nobody has asked for it: one as it is, several as AggregateError */
  rethrow(name?: string): void {
    const [first, ...others] = this.take(name);
    if (first === undefined) return;
    if (others.length === 0) throw first.error;
    throw new AggregateError(
      [first, ...others].map(({ error }) => error),
      `${others.length + 1} calls of functions failed, the first of ${first.function} for ${first.call}: ` +
        `${first.error.message}`,
    );
  }
}
