/**
 * What an insertion sort makes of `items` where items of a negative rank are less than any other, and any other is
 * less than them: upstream's comparison of list items that the order does not name.
 *
 * Such an item moves to the front. One with a rank moves in front of all that have none and of those with a greater
 * rank, so it ends right behind the last one before it in the order. That neighbour is found without walking: in the
 * sorted list of all, from which those that come later are taken out again, from the last to the first.
 */
export function insertionOrder<T>(items: readonly T[], rank: (item: T) => number): T[] {
  const ranks = items.map(rank);
  const neighbour = predecessors(ranks);
  const next = new Int32Array(items.length).fill(-1);
  let head = -1;
  items.forEach((_, at) => {
    const before = neighbour[at] as number;
    if (before < 0) {
      next[at] = head;
      head = at;
    } else {
      next[at] = next[before] as number;
      next[before] = at;
    }
  });
  const out: T[] = [];
  for (let at = head; at >= 0; at = next[at] as number) out.push(items[at] as T);
  return out;
}

/** For each item with a rank, the place of the last one among those before it whose rank is not greater; else -1. */
function predecessors(ranks: readonly number[]): Int32Array {
  const before = new Int32Array(ranks.length).fill(-1);
  const after = new Int32Array(ranks.length).fill(-1);
  const sorted = [...ranks.keys()]
    .filter((at) => (ranks[at] as number) >= 0)
    .sort((a, b) => (ranks[a] as number) - (ranks[b] as number) || a - b);
  sorted.forEach((at, i) => {
    before[at] = sorted[i - 1] ?? -1;
    after[at] = sorted[i + 1] ?? -1;
  });
  for (let at = ranks.length - 1; at >= 0; at--) {
    const left = before[at] as number;
    const right = after[at] as number;
    if (left >= 0) after[left] = right;
    if (right >= 0) before[right] = left;
  }
  return before;
}
