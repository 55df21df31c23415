import type { CelNode } from './syntax.ts';
import type { CelType } from './types.ts';

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

/** A checked part of an expression. */
export interface Compiled {
  readonly type: CelType;
  readonly run: (frame: Frame) => unknown;
}

/** A checked expression. */
export interface Program extends Compiled {
  /** Names of the declared variables that it reads. */
  readonly reads: ReadonlySet<string>;
  readonly slots: number;
}

export interface Variable { readonly slot: number; readonly type: CelType }

/** The variables in sight, by name. */
export type Scope = ReadonlyMap<string, Variable>;

/** What macros need of the compilation that they are part of. */
export interface ExpressionCompiler {
  /** How many slots a frame of this expression needs so far; whoever adds one uses the old number. */
  slots: number;
  compile: (node: CelNode, scope: Scope) => Compiled;
  /** Notes what is wrong at a place of the source. */
  fail: (at: number, text: string) => Compiled;
}
