/** The variables of one evaluation, and what it has cost so far. */
export class Frame {
  readonly slots: unknown[];
  readonly #limit: number;
  cost = 0;

  constructor(slots: unknown[], limit: number) {
    this.slots = slots;
    this.#limit = limit;
  }

  /** @throws CostError when the limit is passed; an expression cannot catch it */
  spend(cost: number): void {
    this.cost += cost;
    if (this.cost > this.#limit) throw new CostError();
  }
}

/** An evaluation costs more than it may. */
export class CostError extends Error {
  override readonly name = 'CostError';
  override readonly message = 'operation cancelled: actual cost limit exceeded';
}

/** Evaluates a part of an expression: its value, or the CelError that it failed with. */
export type Evaluate = (frame: Frame) => unknown;
