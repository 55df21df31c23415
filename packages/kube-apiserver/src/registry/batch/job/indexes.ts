import { goQuote } from '@kubechain/apimachinery';

/** Indexes of a job that cannot be read; the text is the reference's. */
export class IndexesError extends Error {}

interface Interval {
  readonly first: number;
  readonly last: number;
}

/**
 * How many indexes `text` names, such as `0,2-4`, each below `completions` (validateIndexesFormat of
 * pkg/apis/batch/validation, 1.36).
 */
export function countIndexes(text: string, completions: number): number {
  if (text === '') return 0;
  let previous: number | undefined;
  let total = 0;
  for (const part of text.split(',')) {
    const { first, last } = parseInterval(part, completions);
    if (previous !== undefined && previous >= first)
      throw new IndexesError(`non-increasing order, previous: ${previous}, current: ${first}`);
    total += last - first + 1;
    previous = last;
  }
  return total;
}

/** The first index that both lists name; lists that cannot be read have none in common. */
export function commonIndex(left: string, right: string, completions: number): number | undefined {
  const lists = [left, right].map((text) => text.split(',').flatMap((part) => readable(part, completions)));
  for (const a of lists[0] ?? []) {
    for (const b of lists[1] ?? []) if (a.first <= b.last && b.first <= a.last) return Math.max(a.first, b.first);
  }
  return undefined;
}

function readable(part: string, completions: number): Interval[] {
  try {
    return [parseInterval(part, completions)];
  } catch (error) {
    if (error instanceof IndexesError) return [];
    throw error;
  }
}

function parseInterval(text: string, completions: number): Interval {
  const limits = text.split('-');
  if (limits.length > 2)
    throw new IndexesError(
      `the fragment ${goQuote(text)} violates the requirement that an index interval can have at most two ` +
        `parts separated by '-'`,
    );
  const first = parseIndex(limits[0] ?? '', completions);
  if (limits[1] === undefined) return { first, last: first };
  const last = parseIndex(limits[1], completions);
  if (first >= last) throw new IndexesError(`non-increasing order, previous: ${first}, current: ${last}`);
  return { first, last };
}

function parseIndex(text: string, completions: number): number {
  if (!/^[+-]?\d+$/u.test(text)) throw new IndexesError(`cannot convert string to integer for index: ${goQuote(text)}`);
  const index = Number(text);
  if (BigInt.asIntN(64, BigInt(text.replace('+', ''))) !== BigInt(text.replace('+', '')))
    throw new IndexesError(`cannot convert string to integer for index: ${goQuote(text)}`);
  if (index >= completions) throw new IndexesError(`too large index: ${goQuote(text)}`);
  return index;
}
