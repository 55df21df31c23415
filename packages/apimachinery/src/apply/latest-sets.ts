import { equalSets } from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import type { ManagerId } from './managed.ts';

/** So many managers have their last set remembered; when there are more it starts anew. */
const maxManagers = 256;

/** What managers owned last, in any object: a controller owns the same in all objects that it makes. */
export class LatestSets {
  readonly #latest = new Map<ManagerId, FieldSet>();

  get(manager: ManagerId): FieldSet | undefined {
    return this.#latest.get(manager);
  }

  set(manager: ManagerId, set: FieldSet): void {
    if (!this.#latest.has(manager) && this.#latest.size >= maxManagers) this.#latest.clear();
    this.#latest.set(manager, set);
  }

  /** The set itself, or one that is equal: what the manager owned `before` in the object, or last in another one. */
  latest(manager: ManagerId, set: FieldSet, before: FieldSet | undefined): FieldSet {
    if (before !== undefined && equalSets(before, set)) return before;
    const last = this.#latest.get(manager);
    if (last !== undefined && equalSets(last, set)) return last;
    this.set(manager, set);
    return set;
  }
}
