import type { JSONValue } from '../object/object.ts';

/**
 * Drops repeated scalars the way upstream does (util/strategicpatch, deduplicateScalars): the last item takes the
 * place of a repeated one.
 *
 * Upstream compares each item with all after it. Here the places of each value are known, and only those of a
 * repeated one are visited, in order.
 */
export function deduplicate(items: readonly JSONValue[]): JSONValue[] {
  const numbers = new Map<JSONValue, number>();
  const out = items.map((item) => {
    const number = numbers.get(item) ?? numbers.size;
    if (number === numbers.size) numbers.set(item, number);
    return number;
  });
  if (numbers.size === out.length) return [...items];
  const values = [...numbers.keys()];
  const places = new Places(values.length);
  out.forEach((number, at) => {
    places.add(number, at);
  });
  for (let at = 0; at < out.length; at++) {
    const number = out[at] as number;
    for (const place of places.othersOf(number)) if (place > at) fill(out, place, places);
    places.keepOnly(number, at);
  }
  return out.map((number) => values[number] as JSONValue);
}

/** Takes the item at `place` out: the last one that is not equal to it moves there. */
function fill(out: number[], place: number, places: Places): void {
  const gone = out[place];
  while (place < out.length) {
    const last = out.pop() as number;
    if (last === gone) continue;
    out[place] = last;
    places.move(last, out.length, place);
    return;
  }
}

const none = -1;
const nothing: readonly number[] = [];

/**
 * Where the items stand that are equal, by their number. Two places of each, which most have at most, are kept in
 * arrays of numbers: a set of each would take ten times the time and the memory.
 */
class Places {
  readonly #first: Int32Array;
  readonly #second: Int32Array;
  /** All of those that have had more than two. */
  readonly #many = new Map<number, Set<number>>();

  constructor(numbers: number) {
    this.#first = new Int32Array(numbers).fill(none);
    this.#second = new Int32Array(numbers).fill(none);
  }

  add(number: number, place: number): void {
    const first = this.#first[number] as number;
    const second = this.#second[number] as number;
    if (first === none) this.#first[number] = place;
    else if (second === none) this.#second[number] = place;
    else {
      const many = this.#many.get(number);
      if (many === undefined) this.#many.set(number, new Set([first, second, place]));
      else many.add(place);
    }
  }

  /** In order, if there is more than one. */
  othersOf(number: number): readonly number[] {
    const many = this.#many.get(number);
    if (many !== undefined) return [...many].sort((a, b) => a - b);
    const first = this.#first[number] as number;
    const second = this.#second[number] as number;
    if (second === none) return nothing;
    return first < second ? [first, second] : [second, first];
  }

  keepOnly(number: number, place: number): void {
    this.#many.delete(number);
    this.#first[number] = place;
    this.#second[number] = none;
  }

  move(number: number, from: number, to: number): void {
    const many = this.#many.get(number);
    if (many !== undefined) {
      many.delete(from);
      many.add(to);
    } else if (this.#first[number] === from) this.#first[number] = to;
    else this.#second[number] = to;
  }
}
