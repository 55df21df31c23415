/**
 * One list of all names of several: a name that comes before another in any of them comes before it here, and by its
 * letters where none says anything. Lists that contradict each other give the names in order of their letters
 * (apimachinery/pkg/util/sort MergePreservingRelativeOrder, 1.36).
 */
export function mergePreservingOrder(lists: readonly (readonly string[])[]): readonly string[] {
  const after = new Map<string, Set<string>>();
  const waiting = new Map<string, number>();
  for (const list of lists)
    list.forEach((name, i) => {
      const followers = followersOf(after, name);
      const next = list[i + 1];
      if (next === undefined || followers.has(next)) return;
      followers.add(next);
      followersOf(after, next);
      waiting.set(next, (waiting.get(next) ?? 0) + 1);
    });
  const whole = lists.find((list) => list.length === after.size && new Set(list).size === list.length);
  if (whole !== undefined) return whole;
  const ready = [...after.keys()].filter((name) => !waiting.has(name)).sort(byLetters);
  const merged: string[] = [];
  for (let name = ready.shift(); name !== undefined; name = ready.shift()) {
    merged.push(name);
    for (const next of after.get(name) ?? []) {
      const left = (waiting.get(next) ?? 0) - 1;
      waiting.set(next, left);
      if (left === 0) insert(ready, next);
    }
  }
  return merged.length === after.size ? merged : [...after.keys()].sort(byLetters);
}

function followersOf(after: Map<string, Set<string>>, name: string): Set<string> {
  let followers = after.get(name);
  if (followers === undefined) after.set(name, (followers = new Set()));
  return followers;
}

/** Keeps a sorted list sorted. */
function insert(sorted: string[], name: string): void {
  const place = sorted.findIndex((other) => byLetters(name, other) < 0);
  sorted.splice(place < 0 ? sorted.length : place, 0, name);
}

function byLetters(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
