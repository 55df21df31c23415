import { append } from '@kubechain/apimachinery';
/** Lines around a change. */
const context = 3;
/** In texts of so many lines, lines that are more than 1 % of them do not begin a match. */
const popularFrom = 200;

interface Block {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}
interface Range {
  readonly aFrom: number;
  readonly aTo: number;
  readonly bFrom: number;
  readonly bTo: number;
}
interface Edit extends Range {
  readonly equal: boolean;
}

/**
 * Two texts as a unified diff without file names: what error texts of the reference show of a forbidden change
 * (difflib's matching:
 * the longest common block first, then what is before and after it). '' when they are the same.
 */
export function unifiedDiff(before: string, after: string): string {
  const a = before.split('\n');
  const b = after.split('\n');
  return hunks(editsOf(matchingBlocks(a, b)))
    .map((hunk) => printHunk(hunk, a, b))
    .join('');
}

function printHunk(hunk: readonly Edit[], a: readonly string[], b: readonly string[]): string {
  const first = hunk[0] as Edit;
  const last = hunk.at(-1) as Edit;
  const lines = [`@@ -${printRange(first.aFrom, last.aTo)} +${printRange(first.bFrom, last.bTo)} @@`];
  for (const { aFrom, aTo, bFrom, bTo, equal } of hunk) {
    if (equal)
      append(
        lines,
        a.slice(aFrom, aTo).map((line) => ` ${line}`),
      );
    else
      append(lines, [
        ...a.slice(aFrom, aTo).map((line) => `-${line}`),
        ...b.slice(bFrom, bTo).map((line) => `+${line}`),
      ]);
  }
  return lines.map((line) => `${line}\n`).join('');
}

function printRange(from: number, to: number): string {
  const length = to - from;
  if (length === 1) return String(from + 1);
  return `${length === 0 ? from : from + 1},${length}`;
}

/** Edits in groups of those that are close to each other, each with some equal lines around it. */
function hunks(edits: readonly Edit[]): Edit[][] {
  const groups: Edit[][] = [];
  let group: Edit[] = [];
  edits.forEach((edit, i) => {
    let rest = i === 0 ? withoutHead(edit) : edit;
    if (i === edits.length - 1) rest = withoutTail(rest);
    if (rest.equal && rest.aTo - rest.aFrom > 2 * context) {
      groups.push([...group, withoutTail(rest)]);
      group = [];
      rest = withoutHead(rest);
    }
    group.push(rest);
  });
  return [...groups, group].filter((candidate) => candidate.some(({ equal }) => !equal));
}

/** Of equal lines the last ones, of others all. */
function withoutHead(edit: Edit): Edit {
  return edit.equal
    ? { ...edit, aFrom: Math.max(edit.aFrom, edit.aTo - context), bFrom: Math.max(edit.bFrom, edit.bTo - context) }
    : edit;
}

/** Of equal lines the first ones, of others all. */
function withoutTail(edit: Edit): Edit {
  return edit.equal
    ? { ...edit, aTo: Math.min(edit.aTo, edit.aFrom + context), bTo: Math.min(edit.bTo, edit.bFrom + context) }
    : edit;
}

function editsOf(blocks: readonly Block[]): Edit[] {
  const edits: Edit[] = [];
  let a = 0;
  let b = 0;
  for (const block of blocks) {
    if (a < block.a || b < block.b) edits.push({ equal: false, aFrom: a, aTo: block.a, bFrom: b, bTo: block.b });
    a = block.a + block.size;
    b = block.b + block.size;
    if (block.size > 0) edits.push({ equal: true, aFrom: block.a, aTo: a, bFrom: block.b, bTo: b });
  }
  return edits;
}

/** Common blocks in order, neighbours joined, with an empty one at the end of both texts. */
function matchingBlocks(a: readonly string[], b: readonly string[]): Block[] {
  const positions = positionsOf(b);
  const found: Block[] = [];
  const search = (range: Range): void => {
    const block = longestMatch(a, b, { range, positions });
    if (block.size === 0) return;
    search({ aFrom: range.aFrom, aTo: block.a, bFrom: range.bFrom, bTo: block.b });
    found.push(block);
    search({ aFrom: block.a + block.size, aTo: range.aTo, bFrom: block.b + block.size, bTo: range.bTo });
  };
  search({ aFrom: 0, aTo: a.length, bFrom: 0, bTo: b.length });
  const joined: Block[] = [];
  for (const block of found) {
    const last = joined.at(-1);
    if (last !== undefined && last.a + last.size === block.a && last.b + last.size === block.b)
      joined[joined.length - 1] = { ...last, size: last.size + block.size };
    else joined.push(block);
  }
  return [...joined, { a: a.length, b: b.length, size: 0 }];
}

/** Where each line stands in the second text; popular lines are left out. */
function positionsOf(lines: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const positions = new Map<string, number[]>();
  lines.forEach((line, i) => {
    const list = positions.get(line);
    if (list === undefined) positions.set(line, [i]);
    else list.push(i);
  });
  if (lines.length >= popularFrom) {
    const limit = Math.floor(lines.length / 100) + 1;
    for (const [line, list] of positions) if (list.length > limit) positions.delete(line);
  }
  return positions;
}

/** The longest block that both ranges have; of equal ones the earliest. Popular lines around it are taken in. */
function longestMatch(
  a: readonly string[],
  b: readonly string[],
  { positions, range }: { readonly range: Range; readonly positions: ReadonlyMap<string, readonly number[]> },
): Block {
  const { aFrom, aTo, bFrom, bTo } = range;
  let best: Block = { a: aFrom, b: bFrom, size: 0 };
  let lengths = new Map<number, number>();
  for (let i = aFrom; i < aTo; i++) {
    const next = new Map<number, number>();
    for (const j of positions.get(a[i] ?? '') ?? []) {
      if (j < bFrom) continue;
      if (j >= bTo) break;
      const size = (lengths.get(j - 1) ?? 0) + 1;
      next.set(j, size);
      if (size > best.size) best = { a: i - size + 1, b: j - size + 1, size };
    }
    lengths = next;
  }
  let { a: start, b: other, size } = best;
  while (start > aFrom && other > bFrom && a[start - 1] === b[other - 1]) {
    start--;
    other--;
    size++;
  }
  while (start + size < aTo && other + size < bTo && a[start + size] === b[other + size]) size++;
  return { a: start, b: other, size };
}
