/** A folder or file, with what was given for it and for what is below. */
class Place<T> {
  readonly below = new Map<string, Place<T>>();
  readonly given: { readonly item: T; readonly order: number }[] = [];
}

/**
 * Paths of slashes, and which of them lie above or below another: found step by step, not by comparing each with
 * each.
 */
export class SeenPaths<T> {
  readonly #root = new Place<T>();
  #count = 0;

  /** Adds a path; what was given before for it, for what is above and for what is below, in order, `most` at most. */
  add(path: string, item: T, most: number): T[] {
    const found: { readonly item: T; readonly order: number }[] = [];
    let place = this.#root;
    for (const step of path.split('/')) {
      let next = place.below.get(step);
      if (next === undefined) place.below.set(step, (next = new Place<T>()));
      place = next;
      take(found, place, most);
    }
    const open = [...place.below.values()];
    for (let next = open.pop(); next !== undefined && found.length < most; next = open.pop()) {
      take(found, next, most);
      for (const below of next.below.values()) open.push(below);
    }
    place.given.push({ item, order: this.#count++ });
    return found.sort((a, b) => a.order - b.order).map(({ item: other }) => other);
  }
}

function take<T>(found: T[], place: { readonly given: readonly T[] }, most: number): void {
  for (let i = 0; i < place.given.length && found.length < most; i++) found.push(place.given[i] as T);
}
