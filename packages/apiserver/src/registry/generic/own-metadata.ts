import {
  FieldPath,
  invalidValue,
  isStandardFinalizer,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '@kubechain/apimachinery';
import type { FieldError, ObjectMeta } from '@kubechain/apimachinery';
import type { StoreContext } from './store-context.ts';

const finalizersPath = FieldPath.of('metadata', 'finalizers');

/**
 * What a kind's own rules say about metadata: the common checks with its rule for names, and for built-in kinds the
 * names of finalizers.
 */
export function validateOwnMetadata(store: StoreContext, metadata: ObjectMeta): FieldError[] {
  return [
    ...validateObjectMeta(metadata, {
      namespaced: store.spec.namespaced,
      validateName: store.validateName,
      release: store.environment.release,
    }),
    ...ownFinalizers(store, metadata),
  ];
}

/** What they say about metadata that an update changes. */
export function validateOwnMetadataUpdate(store: StoreContext, metadata: ObjectMeta, old: ObjectMeta): FieldError[] {
  return [
    ...validateObjectMetaUpdate(metadata, old, { release: store.environment.release }),
    ...ownFinalizers(store, metadata),
  ];
}

function ownFinalizers(store: StoreContext, metadata: ObjectMeta): FieldError[] {
  return store.spec.anyFinalizers === true ? [] : validateFinalizerNames(metadata);
}

/** Names of finalizers in objects of built-in kinds: the standard ones, or with a domain. */
export function validateFinalizerNames({ finalizers = [] }: ObjectMeta): FieldError[] {
  return finalizers.flatMap((finalizer, i) =>
    finalizer.includes('/') || isStandardFinalizer(finalizer)
      ? []
      : [
          invalidValue(
            finalizersPath.index(i),
            finalizer,
            'name is neither a standard finalizer name nor is it fully qualified',
          ),
        ],
  );
}
