import {
  append,
  ensureMeta,
  internalError,
  nameIsPathSegment,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '@kubechain/apimachinery';
import type { FieldError, KubeObject } from '@kubechain/apimachinery';
import type { StoreContext } from './store-context.ts';
import { ensureNamespaceMatches } from '../rest/object-meta.ts';
import { validateOwnMetadata, validateOwnMetadataUpdate } from './own-metadata.ts';
import { refuseMistakes } from './refuse-mistakes.ts';
import type { RESTContext } from '../rest/storage.ts';

/**
 * What is the same for every object that is updated: the fields that an update cannot touch, the strategy's
 * preparation, validation, warnings, canonical form (rest.BeforeUpdate).
 * @throws StatusError BadRequest or Invalid, InternalError for an object that names no version
 */
export async function beforeUpdate(
  store: StoreContext,
  update: { readonly object: KubeObject; readonly old: KubeObject },
  context: RESTContext,
): Promise<void> {
  const { strategy, spec } = store;
  const { release } = store.environment;
  const { object, old } = update;
  if (strategy.unstructured === true && (object.apiVersion ?? '') === '')
    throw internalError("Object 'apiVersion' is missing in 'object has no apiVersion field'");
  const given = ensureMeta(object);
  const oldMetadata = ensureMeta(old);
  ensureNamespaceMatches(spec.namespaced ? context.namespace : '', given);

  if (oldMetadata.generation === undefined) delete given.generation;
  else given.generation = oldMetadata.generation;
  if (strategy.prepareForUpdate !== undefined) await strategy.prepareForUpdate(object, old, context);

  // A preparation may put other metadata there: that of a status of a custom resource is never the client's.
  const metadata = ensureMeta(object);
  if ((metadata.uid ?? '') === '' && oldMetadata.uid !== undefined) metadata.uid = oldMetadata.uid;
  if (oldMetadata.creationTimestamp !== undefined && oldMetadata.creationTimestamp !== null)
    metadata.creationTimestamp = oldMetadata.creationTimestamp;
  if (oldMetadata.deletionTimestamp !== undefined) metadata.deletionTimestamp = oldMetadata.deletionTimestamp;
  if (oldMetadata.deletionGracePeriodSeconds !== undefined && metadata.deletionGracePeriodSeconds === undefined)
    metadata.deletionGracePeriodSeconds = oldMetadata.deletionGracePeriodSeconds;

  const errors = [
    ...validateObjectMeta(metadata, { namespaced: spec.namespaced, validateName: nameIsPathSegment, release }),
    ...validateObjectMetaUpdate(metadata, oldMetadata, { release }),
  ];
  const typeMistakes = strategy.typeMistakes?.(object) ?? [];
  const isForeign = typeMistakes.length > 0;
  append(errors, typeMistakes);
  // Upstream's rules of each kind check the metadata again, so that its answers name each mistake there twice.
  for (const check of isForeign ? [] : store.updateChecksMetadata) {
    switch (check) {
      case 'update':
        append(errors, validateOwnMetadataUpdate(store, metadata, oldMetadata));
        break;
      case 'object':
        append(errors, validateOwnMetadata(store, metadata));
        break;
      case 'rules':
        append(errors, await ownMistakes(store, update, context));
        break;
      case 'changes':
        append(errors, strategy.validateChange?.(object, old, context) ?? []);
        break;
      default:
        check satisfies never;
    }
  }
  if (isForeign || !store.updateChecksMetadata.includes('rules'))
    append(errors, await ownMistakes(store, update, context));
  if (isForeign || !store.updateChecksMetadata.includes('changes'))
    append(errors, strategy.validateChange?.(object, old, context) ?? []);
  if (errors.length > 0) refuseMistakes(store, object, errors, { isForeign });

  if (strategy.warningsOnUpdate !== undefined)
    for (const warning of strategy.warningsOnUpdate(object, old, context)) context.request.addWarning(warning);
  strategy.canonicalize?.(object);
}

/** What the strategy's own rules say. Those of a small object may take long, and many requests come to them at once. */
async function ownMistakes(
  { strategy }: StoreContext,
  { object, old }: { readonly object: KubeObject; readonly old: KubeObject },
  context: RESTContext,
): Promise<readonly FieldError[]> {
  if (strategy.validateUpdate === undefined) return [];
  const turn = context.turns?.next();
  if (turn !== undefined) await turn;
  return strategy.validateUpdate(object, old, context);
}
