import { foregroundFinalizer, orphanFinalizer } from '@kubechain/apimachinery';
import type { DeleteOptions } from '../rest/storage.ts';
import type { GarbageCollectionPolicy } from './strategy.ts';

/**
 * The finalizers that an object must have for its deletion: those of its own, and the garbage collector's as the
 * options, the object and the resource's policy ask for, in that order. undefined: as it has them.
 * (deletionFinalizersForGarbageCollection of registry/generic/registry/store.go)
 */
export function deletionFinalizers(
  current: readonly string[],
  options: DeleteOptions,
  policy: GarbageCollectionPolicy,
): string[] | undefined {
  const wanted = current.filter((finalizer) => finalizer !== orphanFinalizer && finalizer !== foregroundFinalizer);
  if (policy !== 'Unsupported') {
    if (shouldOrphan(current, options, policy)) wanted.push(orphanFinalizer);
    if (shouldDeleteInForeground(current, options)) wanted.push(foregroundFinalizer);
  }
  const before = new Set(current);
  const after = new Set(wanted);
  return before.size === after.size && wanted.every((finalizer) => before.has(finalizer)) ? undefined : wanted;
}

function shouldOrphan(current: readonly string[], options: DeleteOptions, policy: GarbageCollectionPolicy): boolean {
  if (options.orphanDependents !== undefined) return options.orphanDependents;
  if (options.propagationPolicy !== undefined) return options.propagationPolicy === 'Orphan';
  for (const finalizer of current) {
    if (finalizer === orphanFinalizer) return true;
    if (finalizer === foregroundFinalizer) return false;
  }
  return policy === 'OrphanDependents';
}

function shouldDeleteInForeground(current: readonly string[], options: DeleteOptions): boolean {
  if (options.orphanDependents !== undefined) return false;
  if (options.propagationPolicy !== undefined) return options.propagationPolicy === 'Foreground';
  for (const finalizer of current) {
    if (finalizer === foregroundFinalizer) return true;
    if (finalizer === orphanFinalizer) return false;
  }
  return false;
}
