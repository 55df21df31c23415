import { selectorFromObject, type LabelSelector, type LabelSelectorObject } from '@kubechain/apimachinery';

/** The selector of something that has pods; undefined for one that cannot be used. */
export function selectorOf({
  spec,
}: {
  readonly spec?: { readonly selector?: unknown } | undefined;
}): LabelSelector | undefined {
  try {
    return selectorFromObject(spec?.selector as LabelSelectorObject | undefined);
  } catch {
    return undefined;
  }
}
