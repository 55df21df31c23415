import { compareText } from '../errors/go-format.ts';
import { union } from './field-set.ts';
import type { Managed, VersionedSet } from './managed.ts';
import { compareTimes, managerId } from './managed.ts';

/** Most entries for updates that an object keeps; older ones are merged. Appliers do not count. */
const MAX_UPDATE_MANAGERS = 10;
/** Manager of the merged entries, one for each version. */
const ANCIENT_CHANGES = 'ancient-changes';

/** Merges the oldest update entries, in place, until there are at most `max`. */
export function capUpdateManagers(managed: Managed, max: number = MAX_UPDATE_MANAGERS): void {
  const updaters = [...managed.fields.keys()].filter((id) => managed.fields.get(id)?.applied === false);
  let count = updaters.length;
  if (count <= max) return;
  updaters.sort((a, b) => compareTimes(managed.times.get(a), managed.times.get(b)) || compareText(a, b));
  // The first manager of a version becomes the version's bucket once there is a second one to merge with it.
  const firstOf = new Map<string, string>();
  for (const id of updaters) {
    if (count <= max) return;
    const versioned = managed.fields.get(id) as VersionedSet;
    const { apiVersion } = versioned;
    const bucket = managerId({ manager: ANCIENT_CHANGES, operation: 'Update', apiVersion });
    const first = firstOf.get(apiVersion);
    if (first === undefined) {
      firstOf.set(apiVersion, id);
      continue;
    }
    if (!managed.fields.has(bucket)) {
      managed.fields.set(bucket, managed.fields.get(first) as VersionedSet);
      managed.fields.delete(first);
    }
    const merged = managed.fields.get(bucket) as VersionedSet;
    managed.fields.set(bucket, { ...versioned, set: union(versioned.set, merged.set) });
    managed.fields.delete(id);
    count--;
    const time = managed.times.get(id);
    if (time === undefined) managed.times.delete(bucket);
    else managed.times.set(bucket, time);
  }
}
