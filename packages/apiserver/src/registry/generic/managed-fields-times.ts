import { ensureMeta, isPlainObject } from '@kubechain/apimachinery';
import { isDeepStrictEqual } from 'node:util';
import type { KubeObject, ManagedFieldsEntry } from '@kubechain/apimachinery';
import type { ComparisonPath } from '../../request/request-context.ts';

/**
 * Takes back new timestamps in managedFields when nothing else changed, so that such an update writes nothing
 * (fieldmanager.IgnoreManagedFieldsTimestampsTransformer of apiserver 1.36). Changes `object`; tells how it was found
 * out. `strict`: an empty list or map is another value than none, as in custom resources.
 */
export function keepManagedFieldsTimes(
  object: KubeObject,
  old: KubeObject,
  { strict }: { readonly strict: boolean },
): ComparisonPath {
  const entries = ensureMeta(object).managedFields ?? [];
  const oldEntries = ensureMeta(old).managedFields ?? [];
  if (entries.length === 0 || entries.length !== oldEntries.length) return 'unequal_objects_fast';
  if (entries.every((entry, i) => entry.time === oldEntries[i]?.time)) return 'unequal_objects_fast';
  if (
    !entries.every((entry, i) =>
      isDeepStrictEqual(withoutTime(entry), withoutTime(oldEntries[i] as ManagedFieldsEntry)),
    )
  )
    return 'unequal_objects_fast';
  const isSame = strict ? isDeepStrictEqual : isAlike;
  if (!isSame(withoutManagedFields(object), withoutManagedFields(old))) return 'unequal_objects_slow';
  ensureMeta(object).managedFields = entries.map((entry, i) => {
    const time = oldEntries[i]?.time;
    return time === undefined ? withoutTime(entry) : { ...entry, time };
  });
  return 'equal_objects';
}

function withoutTime(entry: ManagedFieldsEntry): ManagedFieldsEntry {
  const { time: _, ...rest } = entry;
  return rest;
}

function withoutManagedFields(object: KubeObject): KubeObject {
  const { managedFields: _, ...metadata } = ensureMeta(object);
  return { ...object, metadata };
}

/** The same but for what is empty on one side and absent on the other (equality.Semantic of apimachinery). */
function isAlike(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, i) => isAlike(item, b[i]));
  const [left, right] = [membersOf(a), membersOf(b)];
  if (left === undefined || right === undefined) return false;
  for (const name in left) if (!isAlike(left[name], right[name])) return false;
  for (const name in right) if (!(name in left) && !isAlike(undefined, right[name])) return false;
  return true;
}

const none: Readonly<Record<string, unknown>> = {};

/** Of an object, or of what is as good as one without members; undefined for everything else. */
function membersOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return none;
  return isPlainObject(value) ? value : undefined;
}
