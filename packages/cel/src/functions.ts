import type { CelType } from './types/types.ts';
import { parseType, splitTypes } from './types/types.ts';

/** One overload of a function; methods have their receiver as the first parameter. */
export interface CelFunction {
  readonly name: string;
  /** The signature without its result, by which costs know the overload. */
  readonly id: string;
  readonly isMethod: boolean;
  readonly params: readonly CelType[];
  readonly result: CelType;
  /** Gets values of the types of `params`; what it throws as CelError is the call's result. */
  readonly call: (...args: readonly never[]) => unknown;
  /** Values are not checked again where their types were not known. */
  readonly unguarded: boolean;
  /** It gets a WorkCounter behind its values, which is told of what it compares. */
  readonly counted: boolean;
}

/** Receivers that are no values but parts of names. */
const namespaces = new Set(['ip', 'optional', 'sets', 'lists', 'strings', 'format', 'cel', 'jsonpatch']);

/**
 * Makes a function of a signature such as `string.charAt(int): string`, `size(list(T)): int` or
 * `sets.contains(list(T), list(T)): bool`.
 */
export function define(
  signature: string,
  call: (...args: readonly never[]) => unknown,
  { unguarded = false, counted = false } = {},
): CelFunction {
  const colon = signature.lastIndexOf('): ');
  const id = signature.slice(0, colon + 1);
  const result = parseType(signature.slice(colon + 3));
  const head = signature.slice(0, colon);
  const open = openingOf(head);
  const args = splitTypes(head.slice(open + 1)).map(parseType);
  const path = head.slice(0, open);
  const dot = path.lastIndexOf('.');
  const receiver = path.slice(0, Math.max(dot, 0));
  if (dot < 0 || namespaces.has(receiver))
    return { name: path, id, isMethod: false, params: args, result, call, unguarded, counted };
  return {
    name: path.slice(dot + 1),
    id,
    isMethod: true,
    params: [parseType(receiver), ...args],
    result,
    call,
    unguarded,
    counted,
  };
}

/** Where the parenthesis that opens the arguments is. */
function openingOf(head: string): number {
  let depth = 0;
  for (let i = head.length - 1; i >= 0; i--) {
    if (head[i] === ')') depth++;
    else if (head[i] === '(' && depth-- === 0) return i;
  }
  return head.length;
}

/** Functions by name; looked up when expressions are compiled. */
export class FunctionTable {
  readonly #byName = new Map<string, CelFunction[]>();

  constructor(functions: readonly CelFunction[]) {
    for (const overload of functions) {
      const known = this.#byName.get(overload.name);
      if (known === undefined) this.#byName.set(overload.name, [overload]);
      else known.push(overload);
    }
  }

  overloads(name: string): readonly CelFunction[] {
    return this.#byName.get(name) ?? [];
  }
}
