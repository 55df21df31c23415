import { difference, equalSets } from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import type { ManagerId } from './managed.ts';

/** So many managers have their last set remembered; when there are more it starts anew. */
const maxManagers = 256;

/**
 * What appliers mention, and what of that they own: all but the fields that nobody owns. Remembers one for the other, so that an
 * apply of the same fields as before, to the same object or another one, ends up with the very same set, whose wire form is known.
 */
export class AppliedSets {
  readonly #unowned: FieldSet;
  /** Mentioned to owned, and back. */
  readonly #owned = new WeakMap<FieldSet, FieldSet>();
  readonly #mentioned = new WeakMap<FieldSet, FieldSet>();
  /** What a manager owned last, in any object. */
  readonly #latest = new Map<ManagerId, FieldSet>();

  constructor(unowned: FieldSet) { this.#unowned = unowned; }

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
    if (!this.#latest.has(manager) && this.#latest.size >= maxManagers) this.#latest.clear();
    this.#latest.set(manager, owned);
    return owned;
  }
}
