import { freeWork, workPerCost } from './work.ts';

/** The variables of one evaluation, and what it has cost so far. */
export class Frame {
  readonly slots: unknown[];
  readonly #limit: number;
  #spent = 0;
  #work = 0;

  constructor(slots: unknown[], limit: number) {
    this.slots = slots;
    this.#limit = limit;
  }

  /** What the reference charges, or what the work is worth where that is far more. */
  get cost(): number {
    return Math.max(this.#spent, Math.floor((this.#work - freeWork) / workPerCost));
  }

  /** @throws CostError when the limit is passed; an expression cannot catch it */
  spend(cost: number): void {
    this.#spent += cost;
    if (this.#spent > this.#limit) throw new CostError();
  }

  /** To be called before something is done, with {@link workOf} it. @throws CostError as `spend` */
  work(units: number): void {
    this.#work += units;
    if (this.#work > freeWork && this.cost > this.#limit) throw new CostError();
  }
}

/** An evaluation costs more than it may. */
export class CostError extends Error {
  override readonly name = 'CostError';
  override readonly message = 'operation cancelled: actual cost limit exceeded';
}

/** A variable has an evaluation end, which is begun again later. An expression cannot catch it. */
export class Interruption extends Error {
  override readonly name = 'Interruption';
  /** What the evaluations that were under way have cost so far. */
  cost = 0;
}

/** Evaluates a part of an expression: its value, or the CelError that it failed with. */
export type Evaluate = (frame: Frame) => unknown;
