import { selectorFromObject, type LabelSelector, type LabelSelectorObject } from '@kubechain/apimachinery';

const compiled = new WeakMap<LabelSelectorObject, LabelSelector>();

/**
 * The selector that an object of an informer holds, read once however often it is asked for: nobody changes such
 * objects. Nothing matches an absent one.
 * @throws FormatError as selectorFromObject
 */
export function compiledSelector(object: LabelSelectorObject | null | undefined): LabelSelector {
  if (object === undefined || object === null) return selectorFromObject(object);
  let selector = compiled.get(object);
  if (selector === undefined) compiled.set(object, (selector = selectorFromObject(object)));
  return selector;
}
