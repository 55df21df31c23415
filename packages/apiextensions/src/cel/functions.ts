import { parseType, splitTypes } from './types.ts';
import type { CelType } from './types.ts';

/** One overload of a function; methods have their receiver as the first parameter. */
export interface CelFunction {
  readonly name: string;
  readonly isMethod: boolean;
  readonly params: readonly CelType[];
  readonly result: CelType;
  readonly call: (...args: readonly never[]) => unknown;
}

/** Receivers that are no values but parts of names. */
const namespaces = new Set(['ip', 'optional', 'sets']);

/** Makes a function of a signature such as `string.charAt(int): string` or `size(list(T)): int`. */
export function define(signature: string, call: (...args: readonly never[]) => unknown): CelFunction {
  const colon = signature.lastIndexOf('): ');
  const result = parseType(signature.slice(colon + 3));
  const head = signature.slice(0, colon);
  const method = /^(.*)\.(\w+)\(/s.exec(openingOf(head));
  if (method !== null) {
    const [, receiver = '', name = ''] = method;
    if (namespaces.has(receiver)) return { name: `${receiver}.${name}`, isMethod: false, params: splitTypes(head.slice(receiver.length + name.length + 2)).map(parseType), result, call };
    return { name, isMethod: true, params: [receiver, ...splitTypes(head.slice(receiver.length + name.length + 2))].map(parseType), result, call };
  }
  const open = head.indexOf('(');
  return { name: head.slice(0, open), isMethod: false, params: splitTypes(head.slice(open + 1)).map(parseType), result, call };
}

/** A head up to and with the parenthesis that opens the arguments. */
function openingOf(head: string): string {
  let depth = 0;
  for (let i = head.length - 1; i >= 0; i--) {
    if (head[i] === ')') depth++;
    else if (head[i] === '(' && depth-- === 0) return head.slice(0, i + 1);
  }
  return head;
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

  overloads(name: string): readonly CelFunction[] { return this.#byName.get(name) ?? []; }
}
