import { ensureMeta } from '@kubechain/apimachinery';
import { isDeepStrictEqual } from 'node:util';
import type { KubeObject, ManagedFieldsEntry } from '@kubechain/apimachinery';
import type { ComparisonPath } from '../../request/request-context.ts';

/**
 * Takes back new timestamps in managedFields when nothing else changed, so that such an update writes nothing
 * (fieldmanager.IgnoreManagedFieldsTimestampsTransformer of apiserver 1.36). Changes `object`; tells how it was found
 * out.
 */
export function keepManagedFieldsTimes(object: KubeObject, old: KubeObject): ComparisonPath {
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
  if (!isDeepStrictEqual(withoutManagedFields(object), withoutManagedFields(old))) return 'unequal_objects_slow';
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
