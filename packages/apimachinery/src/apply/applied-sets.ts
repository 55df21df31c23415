import { difference, equalSets } from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import { LatestSets } from './latest-sets.ts';
import type { ManagerId } from './managed.ts';

/**
 * What appliers mention, and what of that they own: all but the fields that nobody owns. Remembers one for the other,
 * so that an apply of the same fields as before, to the same object or another one, ends up with the very same set,
 * whose wire form is known.
 */
export class AppliedSets {
  readonly #unowned: FieldSet;
  /** Mentioned to owned, and back. */
  readonly #owned = new WeakMap<FieldSet, FieldSet>();
  readonly #mentioned = new WeakMap<FieldSet, FieldSet>();
  readonly #latest = new LatestSets();

  constructor(unowned: FieldSet) {
    this.#unowned = unowned;
  }

  /** What the next configuration most likely mentions; `last` is what the manager owns in the object. */
  like(manager: ManagerId, last: FieldSet | undefined): FieldSet | undefined {
    const known = last === undefined ? undefined : this.#mentioned.get(last);
    if (known !== undefined) return known;
    const latest = this.#latest.get(manager);
    return latest === undefined ? undefined : this.#mentioned.get(latest);
  }

  /** What a manager owns that mentions a set; `last` itself, what it owned before, when that is the same. */
  owned(manager: ManagerId, mentioned: FieldSet, last: FieldSet | undefined): FieldSet {
    let owned = this.#owned.get(mentioned);
    if (owned === undefined || (last !== undefined && owned !== last)) {
      const set = owned ?? difference(mentioned, this.#unowned);
      owned = last !== undefined && equalSets(last, set) ? last : set;
      this.#owned.set(mentioned, owned);
      this.#mentioned.set(owned, mentioned);
    }
    this.#latest.set(manager, owned);
    return owned;
  }
}
