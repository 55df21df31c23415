import { invalid, type FieldError, type KubeObject } from '@kubechain/apimachinery';
import type { StoreContext } from './store-context.ts';

/** What is a mistake by rules of today may have been none in the release. @throws StatusError Invalid for the others */
export function refuseMistakes(store: StoreContext, object: KubeObject, mistakes: readonly FieldError[]): void {
  const told = store.environment.tellMistakes?.(mistakes, object) ?? mistakes;
  if (told.length > 0)
    throw invalid({ group: store.memoryVersion.group, kind: store.spec.kind }, object.metadata?.name ?? '', told);
}
