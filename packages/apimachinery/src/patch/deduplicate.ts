import type { JSONValue } from '../object/object.ts';

/**
 * Drops repeated scalars the way upstream does (util/strategicpatch, deduplicateScalars): the last item takes the
 * place of a repeated one.
 *
 * Upstream compares each item with all after it. Here the places of each value are known, and only those of a
 * repeated one are visited, in order.
 */
export function deduplicate(items: readonly JSONValue[]): JSONValue[] {
  const out = [...items];
  const places = new Map<JSONValue, Set<number>>();
  out.forEach((item, at) => {
    const known = places.get(item);
    if (known === undefined) places.set(item, new Set([at]));
    else known.add(at);
  });
  if (places.size === out.length) return out;
  for (let at = 0; at < out.length; at++) {
    const item = out[at] as JSONValue;
    const repeated = places.get(item) as Set<number>;
    if (repeated.size === 1) continue;
    for (const place of [...repeated].sort((a, b) => a - b)) if (place > at) fill(out, place, places);
    places.set(item, new Set([at]));
  }
  return out;
}

/** Takes the item at `place` out: the last one that is not equal to it moves there. */
function fill(out: JSONValue[], place: number, places: ReadonlyMap<JSONValue, Set<number>>): void {
  const gone = out[place];
  while (place < out.length) {
    const last = out.pop() as JSONValue;
    if (last === gone) continue;
    out[place] = last;
    const moved = places.get(last) as Set<number>;
    moved.delete(out.length);
    moved.add(place);
    return;
  }
}
