/** The largest cost or size: more than this is not told apart (uint64, rounded to a double). */
export const maxCost = 2 ** 64;

/** A cost or size that an estimate puts between two numbers. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

export const noCost: Range = { min: 0, max: 0 };
export const unknownSize: Range = { min: 0, max: maxCost };

export function exactly(value: number): Range {
  return { min: value, max: value };
}
export function sum(...ranges: readonly Range[]): Range {
  return ranges.reduce((a, b) => ({ min: cap(a.min + b.min), max: cap(a.max + b.max) }), noCost);
}
export function product(a: Range, b: Range): Range {
  return { min: cap(a.min * b.min), max: cap(a.max * b.max) };
}
/** Multiplied by a factor and rounded up. */
export function scaled(a: Range, factor: number): Range {
  return { min: cap(Math.ceil(a.min * factor)), max: cap(Math.ceil(a.max * factor)) };
}
/** The range that covers both. */
export function either(a: Range, b: Range): Range {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

function cap(value: number): number {
  return value > maxCost ? maxCost : value;
}
