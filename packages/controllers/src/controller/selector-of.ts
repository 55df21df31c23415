import type { LabelSelector, LabelSelectorObject } from '@kubechain/apimachinery';
import { compiledSelector } from './compiled-selector.ts';

/** The selector of something that has pods; undefined for one that cannot be used. */
export function selectorOf({
  spec,
}: {
  readonly spec?: { readonly selector?: unknown } | undefined;
}): LabelSelector | undefined {
  try {
    return compiledSelector(spec?.selector as LabelSelectorObject | undefined);
  } catch {
    return undefined;
  }
}
