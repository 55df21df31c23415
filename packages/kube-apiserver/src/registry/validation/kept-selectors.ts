import { FieldPath, validateLabelSelector } from '@kubechain/apimachinery';
import type { LabelSelectorObject, LabelSelectorRules } from '@kubechain/apimachinery';

/**
 * Rules of selectors in updates: where a stored one is malformed, new ones may have values that no label can have
 * (LabelSelectorHasInvalidLabelValue of meta/v1 validation, and the strategies of the kinds, 1.36).
 */
export function keptSelectorRules(stored: readonly (LabelSelectorObject | undefined)[]): LabelSelectorRules {
  return {
    allowInvalidValues: stored.some((selector) => validateLabelSelector(selector, FieldPath.root).length > 0),
  };
}
