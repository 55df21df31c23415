import type { LabelSelector, ObjectMeta } from '@kubechain/apimachinery';
import { keyOf } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { SelectorIndex } from './selector-index.ts';

/** The selectors of the objects that an informer shows; undefined for one that selects nothing. */
export function followSelectors<T extends { readonly metadata?: ObjectMeta | undefined }>(
  objects: SharedInformer<T>,
  selectorOf: (object: T) => LabelSelector | undefined,
): SelectorIndex {
  const index = new SelectorIndex();
  const keep = (object: T): void => index.set(keyOf(object), selectorOf(object));
  objects.addHandlers({ onAdd: keep, onUpdate: keep, onDelete: (object) => index.delete(keyOf(object)) });
  return index;
}
