/** Completion indexes from `first` to `last`. */
export interface Interval {
  readonly first: number;
  readonly last: number;
}

/** Ordered, and with a gap between each two. */
export type Intervals = readonly Interval[];

/**
 * Reads `1,3-5,7`; of indexes from `completions` on nothing is kept, parts that cannot be read are left out.
 * Source: job/indexed_job_utils.go parseIndexesFromString (1.36).
 */
export function parseIntervals(text: string, completions: number): Intervals {
  const intervals: Interval[] = [];
  for (const part of text === '' ? [] : text.split(',')) {
    const [from, to = from] = part.split('-');
    if (!isNumber(from) || !isNumber(to)) continue;
    const first = Number(from);
    if (first >= completions) break;
    append(intervals, { first, last: Math.min(Number(to), completions - 1) });
  }
  return intervals;
}

/** The reverse of parseIntervals: two neighbours stand beside each other, more are a range. */
export function formatIntervals(intervals: Intervals): string {
  return intervals
    .map(({ first, last }) => (first === last ? `${first}` : `${first}${last === first + 1 ? ',' : '-'}${last}`))
    .join(',');
}

/** What is in either. */
export function union(a: Intervals, b: Intervals): Intervals {
  const intervals: Interval[] = [];
  for (const next of [...a, ...b].toSorted((one, other) => one.first - other.first)) append(intervals, next);
  return intervals;
}

/** Intervals of single indexes, in any order. */
export function intervalsOf(indexes: Iterable<number>): Intervals {
  return union(
    [],
    Array.from(indexes, (index) => ({ first: index, last: index })),
  );
}

/** How many indexes there are. */
export function sizeOf(intervals: Intervals): number {
  return intervals.reduce((count, { first, last }) => count + last - first + 1, 0);
}

/** Whether an index is among them. */
export function includes(intervals: Intervals, index: number): boolean {
  let from = 0;
  let to = intervals.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (intervals[middle]!.last < index) from = middle + 1;
    else to = middle;
  }
  const found = intervals[from];
  return found !== undefined && found.first <= index;
}

/** How many indexes are in both. */
export function overlap(a: Intervals, b: Intervals): number {
  let count = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const [one, other] = [a[i]!, b[j]!];
    count += Math.max(0, Math.min(one.last, other.last) - Math.max(one.first, other.first) + 1);
    if (one.last <= other.last) i++;
    if (other.last <= one.last) j++;
  }
  return count;
}

/** The first `count` indexes below `completions` that are not among them. */
export function firstMissing(intervals: Intervals, count: number, completions: number): number[] {
  const missing: number[] = [];
  let candidate = 0;
  for (const { first, last } of [...intervals, { first: completions, last: completions }]) {
    for (; candidate < Math.min(first, completions) && missing.length < count; candidate++) missing.push(candidate);
    candidate = Math.max(candidate, last + 1);
  }
  return missing;
}

function append(intervals: Interval[], next: Interval): void {
  const before = intervals.at(-1);
  if (before === undefined || next.first > before.last + 1) intervals.push(next);
  else if (next.last > before.last) intervals[intervals.length - 1] = { first: before.first, last: next.last };
}

function isNumber(text: string | undefined): text is string {
  return text !== undefined && /^\d+$/.test(text);
}
