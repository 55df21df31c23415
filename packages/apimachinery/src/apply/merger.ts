import type { JSONValue } from '../object/object.ts';
import { equalJSON } from '../object/json-object.ts';
import { compareTyped, noChanges } from './compare.ts';
import type { Comparison } from './compare.ts';
import { ApplyConflicts, conflictsOf } from './conflicts.ts';
import type { CompiledFilter } from './field-filter.ts';
import { difference, emptySet, intersection, isSubset, union } from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import type { ManagerId, VersionedSet } from './managed.ts';
import { mergeTyped } from './merge.ts';
import type { Pause } from '../limits/pause.ts';
import { reconcileFieldSet } from './reconcile.ts';
import { removeItems, withNamedFields } from './remove-items.ts';
import { toFieldSet } from './to-field-set.ts';
import { unclassifiedError } from '../errors/constructors.ts';
import { TypedError } from './typed-error.ts';
import type { TypedObject, VersionConverter } from './version-converter.ts';

/** Managers and what they own. */
export type Managers = Map<ManagerId, VersionedSet>;

/** What an apply is about. */
export interface ApplyInput {
  readonly live: TypedObject;
  readonly config: TypedObject;
  /** What `config` mentions (toFieldSet). */
  readonly set: FieldSet;
  readonly managers: Managers;
  readonly manager: ManagerId;
  readonly force: boolean;
  readonly pause: Pause;
}

/** What an update is about. */
export interface UpdateInput {
  readonly live: TypedObject;
  readonly updated: TypedObject;
  readonly managers: Managers;
  readonly manager: ManagerId;
}

/** A change of the object, for {@link Merger} to account for. */
interface Transfer {
  readonly before: TypedObject;
  readonly after: TypedObject;
  /** Who makes it. */
  readonly self: ManagerId;
  readonly force: boolean;
  /** Of the two, if it is known already. */
  readonly comparison: Comparison | undefined;
  /** What the two are in their own version; converted ones are structs. */
  readonly as: 'structs' | 'values';
}

/**
 * Structured merge: merges applied configurations and keeps account of who owns what (structured-merge-diff's
 * merge.Updater). Knows nothing of Kubernetes but versions. Arguments are not changed.
 */
export class Merger {
  readonly #converter: VersionConverter;
  readonly #filters: ReadonlyMap<string, CompiledFilter>;

  /** `filters` by apiVersion say which fields are managed at all. */
  constructor(converter: VersionConverter, filters: ReadonlyMap<string, CompiledFilter>) {
    this.#converter = converter;
    this.#filters = filters;
  }

  /** The managers after an update: the updating one owns what it changed, all others lose that. */
  async update(input: UpdateInput): Promise<Managers> {
    const { live, updated, manager } = input;
    const comparison = this.#compare(live, updated);
    const managers = await this.#transfer(
      { before: live, after: updated, self: manager, force: true, comparison, as: 'structs' },
      await this.#reconciled(live, input.managers),
    );
    const own = managers.get(manager)?.set ?? emptySet;
    const set = this.#filtered(
      updated.apiVersion,
      union(union(difference(own, comparison.removed), comparison.modified), comparison.added),
    );
    if (set.size === 0) managers.delete(manager);
    else managers.set(manager, { set, apiVersion: updated.apiVersion, applied: false });
    return managers;
  }

  /**
   * Merges a configuration; `value` is `undefined` when that changes nothing.
   * @throws ApplyConflicts unless forced
   * @throws TypedError
   */
  async apply(input: ApplyInput): Promise<{ value: JSONValue | undefined; managers: Managers }> {
    const { live, config, manager, pause } = input;
    const managers = await this.#reconciled(live, input.managers);
    await pause();
    const merged: TypedObject = { ...live, value: mergeTyped(live.atom, live.value, config.value) };
    await pause();
    const last = managers.get(manager);
    const set = this.#filtered(config.apiVersion, input.set);
    managers.set(manager, { set, apiVersion: config.apiVersion, applied: true });
    // Pruning is by far the dearest step, and needed only when the manager gives something up.
    const gaveUp =
      last !== undefined && (last.apiVersion !== config.apiVersion ? last.set.size > 0 : !isSubset(last.set, set));
    await pause();
    const pruned = gaveUp ? await this.#prune(merged, input, managers, last) : merged;
    await pause();
    const after = await this.#transfer(
      { before: live, after: pruned, self: manager, force: input.force, comparison: undefined, as: 'values' },
      managers,
    );
    await pause();
    return { value: equalJSON(live.value, pruned.value) ? undefined : pruned.value, managers: after };
  }

  #filtered(apiVersion: string, set: FieldSet): FieldSet {
    const filter = this.#filters.get(apiVersion);
    return filter === undefined ? set : filter(set);
  }

  #compare(before: TypedObject, after: TypedObject, as: 'structs' | 'values' = 'structs'): Comparison {
    const comparison = compareTyped(before.atom, before.value, after.value, as);
    const filter = this.#filters.get(before.apiVersion);
    return filter === undefined || comparison === noChanges
      ? comparison
      : { added: filter(comparison.added), modified: filter(comparison.modified), removed: filter(comparison.removed) };
  }

  async #convert(what: 'old' | 'new', object: TypedObject, apiVersion: string): Promise<TypedObject | undefined> {
    try {
      return await this.#converter.convert(object, apiVersion);
    } catch (error) {
      throw error instanceof TypedError
        ? unclassifiedError(`failed to convert ${what} object: ${error.message}`, { cause: error })
        : error;
    }
  }

  /** Takes what changed from everybody but `self`; managers of versions that are gone are dropped. */
  async #transfer(change: Transfer, managers: Managers): Promise<Managers> {
    const { before, after, self, force } = change;
    const byVersion = new Map<string, Comparison | undefined>();
    if (change.comparison !== undefined) byVersion.set(after.apiVersion, change.comparison);
    const out: Managers = new Map();
    const conflicts = new Map<ManagerId, FieldSet>();
    for (const [manager, versioned] of managers) {
      if (manager === self) {
        if (versioned.set.size > 0) out.set(manager, versioned);
        continue;
      }
      const { apiVersion } = versioned;
      if (!byVersion.has(apiVersion)) {
        // oxlint-disable-next-line no-await-in-loop -- one conversion per version, and most objects have one version
        const [oldVersion, newVersion] = [
          await this.#convert('old', before, apiVersion),
          await this.#convert('new', after, apiVersion),
        ];
        byVersion.set(
          apiVersion,
          oldVersion === undefined || newVersion === undefined
            ? undefined
            : this.#compare(oldVersion, newVersion, apiVersion === after.apiVersion ? change.as : 'structs'),
        );
      }
      const changes = byVersion.get(apiVersion);
      if (changes === undefined) continue;
      const taken = union(intersection(versioned.set, changes.modified), intersection(versioned.set, changes.added));
      if (taken.size > 0) conflicts.set(manager, taken);
      const set = difference(difference(versioned.set, taken), changes.removed);
      if (set.size > 0) out.set(manager, set === versioned.set ? versioned : { ...versioned, set });
    }
    if (!force && conflicts.size > 0) throw new ApplyConflicts(conflictsOf(conflicts));
    return out;
  }

  /**
   * Sets as the present schemas have them; managers of versions that are gone are dropped.
   * @throws an error that says what does not fit, where the object has a field that a manager's version does not know
   */
  async #reconciled(live: TypedObject, managers: Managers): Promise<Managers> {
    const out: Managers = new Map();
    const fitting = new Set<string>();
    for (const [manager, versioned] of managers) {
      if (!fitting.has(versioned.apiVersion)) {
        // oxlint-disable-next-line no-await-in-loop -- one conversion per version, and most objects have one version
        await this.#mustFit(live, versioned.apiVersion);
        fitting.add(versioned.apiVersion);
      }
      const typed = this.#converter.typed(live.value, versioned.apiVersion);
      if (typed === undefined) continue;
      const set = reconcileFieldSet(typed.atom, versioned.set);
      out.set(manager, set === versioned.set ? versioned : { ...versioned, set });
    }
    return out;
  }

  async #mustFit(live: TypedObject, apiVersion: string): Promise<void> {
    if (!this.#converter.isChecked || live.apiVersion === apiVersion) return;
    try {
      await this.#converter.convert(live, apiVersion);
    } catch (error) {
      throw error instanceof TypedError ? unclassifiedError(error.message, { cause: error }) : error;
    }
  }

  /** Removes what the manager applied last time and not now, unless somebody else owns it. */
  async #prune(
    merged: TypedObject,
    { config: { apiVersion }, pause }: ApplyInput,
    managers: Managers,
    last: VersionedSet,
  ): Promise<TypedObject> {
    const converted = await this.#converter.convert(merged, last.apiVersion);
    if (converted === undefined) return merged;
    const removed: TypedObject = {
      ...converted,
      value: removeItems(converted.atom, converted.value, withNamedFields(last.set, converted.atom)),
    };
    await pause();
    const owned = await this.#addBackOwned(converted, removed, { managers, pause });
    await pause();
    const pruned = await this.#addBackDangling(converted, owned, last);
    await pause();
    return (await this.#converter.convert(pruned, apiVersion)) ?? pruned;
  }

  /** Adds back what others, or the new configuration, own; version by version, the pruned one first. */
  async #addBackOwned(
    merged: TypedObject,
    pruned: TypedObject,
    { managers, pause }: { readonly managers: Managers; readonly pause: Pause },
  ): Promise<TypedObject> {
    const owned = new Map<string, FieldSet>([[pruned.apiVersion, emptySet]]);
    for (const { apiVersion, set } of managers.values())
      owned.set(apiVersion, union(owned.get(apiVersion) ?? emptySet, set));
    let whole = merged;
    let kept = pruned;
    for (const [apiVersion, set] of owned) {
      if (apiVersion === merged.apiVersion && set.size === 0) continue;
      // oxlint-disable-next-line no-await-in-loop -- each step builds on the one before
      const [wholeHere, keptHere] = [
        await this.#converter.convert(whole, apiVersion),
        await this.#converter.convert(kept, apiVersion),
      ];
      if (wholeHere === undefined || keptHere === undefined) continue;
      // oxlint-disable-next-line no-await-in-loop -- each step builds on the one before
      await pause();
      const { atom } = wholeHere;
      const unowned = difference(
        withNamedFields(toFieldSet(atom, wholeHere.value), atom),
        union(withNamedFields(toFieldSet(atom, keptHere.value), atom), withNamedFields(set, atom)),
      );
      whole = wholeHere;
      kept = { ...wholeHere, value: removeItems(atom, wholeHere.value, unowned) };
    }
    return kept;
  }

  /** Of what is missing now, only what the manager had owned stays away. */
  async #addBackDangling(merged: TypedObject, pruned: TypedObject, last: VersionedSet): Promise<TypedObject> {
    const converted = await this.#converter.convert(pruned, last.apiVersion);
    if (converted === undefined) return merged;
    const { atom } = merged;
    const gone = difference(
      withNamedFields(toFieldSet(atom, merged.value), atom),
      withNamedFields(toFieldSet(atom, converted.value), atom),
    );
    return { ...merged, value: removeItems(atom, merged.value, intersection(gone, withNamedFields(last.set, atom))) };
  }
}
