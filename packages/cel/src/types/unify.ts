import type { CelType } from './types.ts';
import { dynType, isSameType, withParams } from './types.ts';

/** What type parameters stand for, by name. */
export type Bindings = ReadonlyMap<string, CelType>;

/**
 * Whether values of `given` may stand where `wanted` is asked for, or the other way round, and what that says about
 * type parameters (cel-go checker/types.go): the bindings then, which may be more than before.
 */
export function assign(
  bindings: Bindings,
  wanted: readonly CelType[],
  given: readonly CelType[],
): Bindings | undefined {
  const trial = new Map(bindings);
  return fitAll(trial, wanted, given) ? trial : undefined;
}

function fitAll(bindings: Map<string, CelType>, first: readonly CelType[], second: readonly CelType[]): boolean {
  return first.length === second.length && first.every((type, i) => fit(bindings, type, second[i] ?? dynType));
}

function fit(bindings: Map<string, CelType>, a: CelType, b: CelType): boolean {
  if (b.kind === 'param') {
    const { valid, bound } = substitutes(bindings, a, b);
    if (valid || bound) return valid;
  }
  if (a.kind === 'param') return substitutes(bindings, b, a).valid;
  if (isWild(a) || isWild(b)) return true;
  if (a.kind === 'null') return isNullable(b);
  if (b.kind === 'null') return isNullable(a);
  switch (a.kind) {
    case 'simple':
    case 'object':
      return a.kind === b.kind && a.name === b.name;
    case 'type':
      return b.kind === 'type';
    default:
      return a.kind === b.kind && a.name === b.name && fitAll(bindings, a.params, b.params);
  }
}

function isNullable({ kind, name }: CelType): boolean {
  return kind === 'null' || kind === 'opaque' || kind === 'object' || name === 'duration' || name === 'timestamp';
}

/** Whether a type may stand for a parameter; `bound` tells that the parameter stood for something already. */
function substitutes(
  bindings: Map<string, CelType>,
  type: CelType,
  param: CelType,
): { readonly valid: boolean; readonly bound: boolean } {
  if (isSameType(type, param)) return { valid: true, bound: true };
  const known = bindings.get(param.name);
  if (known !== undefined) {
    if (isSameType(type, known)) return { valid: true, bound: true };
    if (!fit(bindings, type, known)) return { valid: false, bound: true };
    const general = mostGeneral(type, known);
    if (!occurs(bindings, param, general)) bindings.set(param.name, general);
    return { valid: true, bound: true };
  }
  if (occurs(bindings, param, type)) return { valid: false, bound: false };
  bindings.set(param.name, type);
  return { valid: true, bound: false };
}

/** Whether a parameter is part of a type, so that it cannot stand for it. */
function occurs(bindings: Bindings, param: CelType, within: CelType): boolean {
  if (isSameType(param, within)) return true;
  if (within.kind !== 'param') return within.params.some((part) => occurs(bindings, param, part));
  const known = bindings.get(within.name);
  return known !== undefined && occurs(bindings, param, known);
}

function isWild({ kind }: CelType): boolean {
  return kind === 'dyn' || kind === 'error';
}

/** Of two types that fit each other the one that says less. */
export function mostGeneral(a: CelType, b: CelType): CelType {
  return isLessSpecific(a, b) ? a : b;
}

function isLessSpecific(a: CelType, b: CelType): boolean {
  if (a.kind === 'dyn' || a.kind === 'param') return true;
  if (b.kind === 'dyn' || b.kind === 'param' || a.kind !== b.kind) return false;
  switch (a.kind) {
    case 'opaque':
      return (
        a.name === b.name &&
        a.params.length === b.params.length &&
        a.params.every((param, i) => isLessSpecific(param, b.params[i] ?? dynType))
      );
    case 'list':
    case 'map':
      return a.params.every((param, i) => isLessSpecific(param, b.params[i] ?? dynType));
    case 'type':
      return true;
    default:
      return isSameType(a, b);
  }
}

/** A type with its parameters replaced by what they stand for; free ones become `dyn` if asked. */
export function substitute(bindings: Bindings, type: CelType, freeToDyn = false): CelType {
  if (type.kind === 'param') {
    const known = bindings.get(type.name);
    if (known !== undefined) return substitute(bindings, known, freeToDyn);
    return freeToDyn ? dynType : type;
  }
  return type.params.length === 0
    ? type
    : withParams(
        type,
        type.params.map((param) => substitute(bindings, param, freeToDyn)),
      );
}
