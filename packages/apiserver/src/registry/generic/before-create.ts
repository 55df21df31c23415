import {
  append,
  ensureMeta,
  nameIsAnything,
  nameIsLongName,
  nameIsPathSegment,
  validateObjectMeta,
} from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import type { StoreContext } from './store-context.ts';
import { ensureNamespaceMatches } from '../rest/object-meta.ts';
import { validateOwnMetadata } from './own-metadata.ts';
import { refuseMistakes } from './refuse-mistakes.ts';
import type { RESTContext } from '../rest/storage.ts';

/**
 * What is the same for every object that is created: namespace, the strategy's preparation, validation, warnings,
 * canonical form (rest.BeforeCreate). uid, creationTimestamp and name are set already.
 * @throws StatusError BadRequest or Invalid
 */
export async function beforeCreate(store: StoreContext, object: KubeObject, context: RESTContext): Promise<void> {
  const { strategy, spec } = store;
  const metadata = ensureMeta(object);
  ensureNamespaceMatches(spec.namespaced ? context.namespace : '', metadata);
  if (strategy.prepareForCreate !== undefined) await strategy.prepareForCreate(object, context);

  const typeMistakes = strategy.typeMistakes?.(object) ?? [];
  const isForeign = typeMistakes.length > 0;
  const errors = [...typeMistakes, ...(strategy.validateFirst?.(object, context) ?? [])];
  if (!isForeign && strategy.rulesLeaveMetadata !== true) append(errors, validateOwnMetadata(store, metadata));
  if (strategy.validate !== undefined) {
    // Rules of a small object may take long, and many requests come to them at once.
    const turn = context.turns?.next();
    if (turn !== undefined) await turn;
    append(errors, await strategy.validate(object, context));
  }
  // The checks of all objects come last; only a kind with no rule for names or metadata has anything left for them.
  if (
    errors.length === 0 &&
    (strategy.rulesLeaveMetadata === true ||
      store.validateName === nameIsAnything ||
      store.validateName === nameIsLongName)
  )
    append(
      errors,
      validateObjectMeta(metadata, {
        namespaced: spec.namespaced,
        validateName: nameIsPathSegment,
        release: store.environment.release,
      }),
    );
  if (errors.length > 0) refuseMistakes(store, object, errors, { isForeign });

  if (strategy.warningsOnCreate !== undefined)
    for (const warning of strategy.warningsOnCreate(object, context)) context.request.addWarning(warning);
  strategy.canonicalize?.(object);
}
