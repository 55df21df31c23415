import { CelError, CelOptional, isCelError, isList, isMap, mapKey, noSuchOverload } from '../values/values.ts';
import { displayText } from '../values/display.ts';
import type { Evaluate, Frame } from './frame.ts';

/**
 * A variable or value with a path of fields and indices into it, which is looked up in one go (cel-go
 * interpreter/attributes.go). Costs depend on it: a variable costs 1 when it is evaluated for itself, but not where it
 * is a branch of a conditional or an index; each step of the path costs 1.
 */
export interface Attribute {
  readonly steps: Step[] | undefined;
  addStep(step: Step): void;
  resolve(frame: Frame): unknown;
  /** What evaluating it costs beyond its parts. */
  readonly ownCost: 0 | 1;
}

/** A field or an index. */
export interface Step {
  readonly optional: boolean;
  /** What it leads to; `undefined` for what is not there if `lenient`, else the error. */
  follow(frame: Frame, of: unknown, lenient: boolean): unknown;
}

/** A path from a variable. */
export class VariableAttribute implements Attribute {
  readonly ownCost = 1;
  readonly steps: Step[] = [];
  readonly #read: Evaluate;
  constructor(read: Evaluate) {
    this.#read = read;
  }
  addStep(step: Step): void {
    this.steps.push(step);
  }
  resolve(frame: Frame): unknown {
    const value = this.#read(frame);
    return this.steps.length === 0 && !(value instanceof CelOptional) ? value : follow(frame, value, this.steps);
  }
}

/** `condition ? yes : no` with what is selected of either. */
export class ConditionalAttribute implements Attribute {
  readonly ownCost = 0;
  readonly steps = undefined;
  readonly #condition: Evaluate;
  readonly #yes: Attribute;
  readonly #no: Attribute;
  constructor(condition: Evaluate, yes: Attribute, no: Attribute) {
    this.#condition = condition;
    this.#yes = yes;
    this.#no = no;
  }
  addStep(step: Step): void {
    this.#yes.addStep(step);
    this.#no.addStep(step);
  }
  resolve(frame: Frame): unknown {
    const chosen = this.#condition(frame);
    if (chosen === true) return this.#yes.resolve(frame);
    if (chosen === false) return this.#no.resolve(frame);
    return isCelError(chosen) ? chosen : noSuchOverload();
  }
}

/** Follows a path; from the first optional step, or from an optional value on, what is missing is none. */
function follow(frame: Frame, value: unknown, steps: readonly Step[]): unknown {
  if (isCelError(value)) return value;
  let optional = value instanceof CelOptional;
  let of = value;
  if (value instanceof CelOptional) {
    if (!value.present) return value;
    of = value.value;
  }
  for (const step of steps) {
    optional ||= step.optional;
    const next = step.follow(frame, of, optional);
    if (isCelError(next)) return next;
    if (next === undefined) return CelOptional.none;
    of = next;
  }
  return optional ? new CelOptional(of) : of;
}

/** A field or a constant index; costs 1 where it finds something or must. */
export function constantStep(key: unknown, optional: boolean): Step {
  return {
    optional,
    follow(frame, of, lenient) {
      const found = entryOf(of, key, lenient);
      if (found !== undefined) frame.spend(1);
      return found;
    },
  };
}

/** Whether a field is there; costs 1. */
export function presenceStep(key: unknown): Step {
  return {
    optional: false,
    follow(frame, of, lenient) {
      const found = entryOf(of, key, true);
      if (lenient && found === undefined) return undefined;
      frame.spend(1);
      return lenient || isCelError(found) ? found : found !== undefined;
    },
  };
}

/** An index that is computed; `cost` is 1 unless it is a conditional. */
export function computedStep(
  index: Evaluate,
  { optional, cost }: { readonly optional: boolean; readonly cost: 0 | 1 },
): Step {
  return {
    optional,
    follow(frame, of, lenient) {
      const key = index(frame);
      const found = isCelError(key) ? key : entryOf(of, key, lenient);
      if (found !== undefined) frame.spend(cost);
      return found;
    },
  };
}

/** The entry of a map or the item of a list; undefined for what is not there if `lenient`, else the error. */
function entryOf(of: unknown, key: unknown, lenient: boolean): unknown {
  if (isCelError(of)) return of;
  if (isMap(of)) {
    const found = of.get(key);
    return found !== undefined || lenient ? found : new CelError(`no such key: ${displayText(key)}`);
  }
  if (isList(of)) {
    const index = mapKey(key);
    if (typeof index !== 'bigint')
      return new CelError(
        typeof key === 'number'
          ? `unsupported index value ${key} in list`
          : `unsupported index type '${displayType(key)}' in list`,
      );
    if (index >= 0n && index < BigInt(of.size)) return of.at(Number(index));
    return lenient ? undefined : new CelError(`index out of bounds: ${displayText(key)}`);
  }
  return lenient ? undefined : new CelError(`no such key: ${displayText(key)}`);
}

function displayType(key: unknown): string {
  return typeof key === 'string' ? 'string' : typeof key === 'boolean' ? 'bool' : typeof key;
}
