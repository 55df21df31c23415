import { FieldPath, invalidValue, validateObjectMeta } from '@kubechain/apimachinery';
import type { FieldError, ObjectMeta } from '@kubechain/apimachinery';
import type { Store } from '../generic/store.ts';

const finalizersPath = FieldPath.of('metadata', 'finalizers');
/** Finalizers that need no domain in built-in kinds. */
const standardFinalizers: ReadonlySet<string> = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

/** What a kind's own rules say about metadata: the common checks with its rule for names, and for built-in kinds the names of finalizers. */
export function validateOwnMetadata(store: Store, metadata: ObjectMeta): FieldError[] {
  const errors = validateObjectMeta(metadata, { namespaced: store.spec.namespaced, validateName: store.validateName });
  if (store.spec.anyFinalizers === true || metadata.finalizers === undefined) return errors;
  metadata.finalizers.forEach((finalizer, i) => {
    if (!finalizer.includes('/') && !standardFinalizers.has(finalizer)) errors.push(invalidValue(finalizersPath.index(i), finalizer, 'name is neither a standard finalizer name nor is it fully qualified'));
  });
  return errors;
}
