import { equalJSON, type JSONValue, type LabelSelector } from '@kubechain/apimachinery';
import { keyOf } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import type { WithMetadata } from '../informers/with-metadata.ts';
import { SelectorIndex } from './selector-index.ts';

/** What may have a selector. */
export interface WithSelector extends WithMetadata {
  readonly spec?: { readonly selector?: unknown } | undefined;
}

/**
 * The selectors of the objects that an informer shows, which `selectorOf` reads from `spec.selector`; undefined for one
 * that selects nothing.
 */
export function followSelectors<T extends WithSelector>(
  objects: SharedInformer<T>,
  selectorOf: (object: T) => LabelSelector | undefined,
): SelectorIndex {
  const index = new SelectorIndex();
  const keep = (object: T): void => index.set(keyOf(object), selectorOf(object));
  objects.addHandlers({
    onAdd: keep,
    onUpdate: (object, previous) => {
      // Reading one of many values takes longer than seeing that it is the same.
      if (!equalJSON(given(object), given(previous))) keep(object);
    },
    onDelete: (object) => index.delete(keyOf(object)),
  });
  return index;
}

function given({ spec }: WithSelector): JSONValue {
  return (spec?.selector ?? null) as JSONValue;
}
