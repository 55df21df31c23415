/** A line of a comparison. */
export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed' | 'left out';
  readonly text: string;
}

/** Lines of what is the same that are shown around a change. */
const around = 3;
/** More lines than this on both sides are not compared one by one: it takes their product. */
const mostLines = 3_000;

/** Compares two JSON texts, both written with a line for each member; what did not change is left out. */
export function diffJSON(before: string, after: string): DiffLine[] {
  return shorten(diffLines(lines(before), lines(after)));
}

/** JSON with a line for each member, its keys as they come. */
export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

function lines(text: string): string[] {
  return text === '' ? [] : pretty(text).split('\n');
}

function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end++;
  const middle = changed(before.slice(start, before.length - end), after.slice(start, after.length - end));
  const same = (text: string): DiffLine => ({ kind: 'same', text });
  return [...before.slice(0, start).map(same), ...middle, ...before.slice(before.length - end).map(same)];
}

/** By the longest common subsequence of lines. */
function changed(before: readonly string[], after: readonly string[]): DiffLine[] {
  const removed = (text: string): DiffLine => ({ kind: 'removed', text });
  const added = (text: string): DiffLine => ({ kind: 'added', text });
  if (before.length > mostLines || after.length > mostLines) return [...before.map(removed), ...after.map(added)];
  const width = after.length + 1;
  const length = new Uint16Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      length[i * width + j] =
        before[i] === after[j]
          ? length[(i + 1) * width + j + 1]! + 1
          : Math.max(length[(i + 1) * width + j]!, length[i * width + j + 1]!);
  const result: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length && j < after.length)
    if (before[i] === after[j]) {
      result.push({ kind: 'same', text: before[i]! });
      i++;
      j++;
    } else if (length[(i + 1) * width + j]! >= length[i * width + j + 1]!) result.push(removed(before[i++]!));
    else result.push(added(after[j++]!));
  return [...result, ...before.slice(i).map(removed), ...after.slice(j).map(added)];
}

function shorten(all: readonly DiffLine[]): DiffLine[] {
  const near = new Uint8Array(all.length);
  for (const [at, { kind }] of all.entries())
    if (kind !== 'same') near.fill(1, Math.max(0, at - around), Math.min(all.length, at + around + 1));
  const result: DiffLine[] = [];
  let left = 0;
  for (const [at, line] of all.entries()) {
    if (near[at] === 1) {
      if (left > 0) result.push({ kind: 'left out', text: `${left} lines` });
      left = 0;
      result.push(line);
    } else left++;
  }
  if (left > 0 && result.length > 0) result.push({ kind: 'left out', text: `${left} lines` });
  return result;
}
