import { append } from '../object/append.ts';

/** `removed` rows at a place of the old table, and those that stand there instead; places in order. */
export type RowChange<Row = unknown> = readonly [at: number, removed: number, ...rows: readonly Row[]];

/** A table of the neighbouring release with its changes made. */
export function applyRowChanges<Row>(rows: readonly Row[], changes: readonly RowChange<Row>[]): readonly Row[] {
  const result: Row[] = [];
  let next = 0;
  for (const [at, removed, ...added] of changes) {
    append(result, rows.slice(next, at));
    append(result, added);
    next = at + removed;
  }
  append(result, rows.slice(next));
  return result;
}

/** The changes that make one table of another; rows are the same when their JSON is. */
export function rowChanges<Row>(from: readonly Row[], to: readonly Row[]): readonly RowChange<Row>[] {
  const left = from.map((row) => JSON.stringify(row));
  const right = to.map((row) => JSON.stringify(row));
  // Length of the longest common subsequence of what is left of both tables.
  const common = Array.from({ length: left.length + 1 }, () => new Uint16Array(right.length + 1));
  const length = (i: number, j: number): number => common[i]?.[j] ?? 0;
  for (let i = left.length - 1; i >= 0; i--)
    for (let j = right.length - 1; j >= 0; j--)
      (common[i] as Uint16Array)[j] =
        left[i] === right[j] ? length(i + 1, j + 1) + 1 : Math.max(length(i + 1, j), length(i, j + 1));
  const changes: [at: number, removed: number, ...rows: Row[]][] = [];
  let open = false;
  for (let i = 0, j = 0; i < left.length || j < right.length;) {
    if (i < left.length && j < right.length && left[i] === right[j]) {
      i++;
      j++;
      open = false;
      continue;
    }
    if (!open) changes.push([i, 0]);
    open = true;
    const change = changes.at(-1) as [number, number, ...Row[]];
    if (j >= right.length || (i < left.length && length(i + 1, j) >= length(i, j + 1))) {
      change[1]++;
      i++;
    } else change.push(to[j++] as Row);
  }
  return changes;
}
