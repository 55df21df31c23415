/** Finalizer that makes the garbage collector cut dependents loose before their owner goes. */
export const orphanFinalizer = 'orphan';
/** Finalizer that makes the garbage collector delete dependents before their owner goes. */
export const foregroundFinalizer = 'foregroundDeletion';

const standard: ReadonlySet<string> = new Set(['kubernetes', orphanFinalizer, foregroundFinalizer]);

/** Whether a finalizer needs no domain in its name (IsStandardFinalizerName of pkg/apis/core/helper, 1.36). */
export function isStandardFinalizer(name: string): boolean {
  return standard.has(name);
}
