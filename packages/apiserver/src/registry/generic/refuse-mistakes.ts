import { gvkOf, invalid, type FieldError, type KubeObject } from '@kubechain/apimachinery';
import type { StoreContext } from './store-context.ts';

/**
 * What is a mistake by rules of today may have been none in the release. `isForeign`: it is told of the kind that the
 * object names, which is not the store's.
 * @throws StatusError Invalid for the others
 */
export function refuseMistakes(
  store: StoreContext,
  object: KubeObject,
  mistakes: readonly FieldError[],
  { isForeign }: { readonly isForeign: boolean },
): void {
  const told = store.environment.tellMistakes?.(mistakes, object) ?? mistakes;
  if (told.length === 0) return;
  const { group, kind } = isForeign ? gvkOf(object) : { group: store.memoryVersion.group, kind: store.spec.kind };
  throw invalid({ group, kind }, object.metadata?.name ?? '', told);
}
