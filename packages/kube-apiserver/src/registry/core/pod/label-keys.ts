import type { LabelSelectorObject } from '@kubechain/apimachinery';
import type { Pod, PodAffinityTerm } from '@kubechain/apimachinery/types/core/v1';

type Operator = 'In' | 'NotIn';

/**
 * A new pod's own labels become part of the selectors that name them by key (mutatePodAffinity and
 * mutateTopologySpreadConstraints of pkg/registry/core/pod, 1.36).
 */
export function mergeLabelKeys({ metadata, spec }: Pod): void {
  const labels = metadata?.labels ?? {};
  for (const affinity of [spec?.affinity?.podAffinity, spec?.affinity?.podAntiAffinity]) {
    for (const { podAffinityTerm } of affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [])
      mergeTerm(podAffinityTerm, labels);
    for (const term of affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []) mergeTerm(term, labels);
  }
  for (const constraint of spec?.topologySpreadConstraints ?? [])
    mergeKeys(constraint.labelSelector, constraint.matchLabelKeys, { labels, operator: 'In' });
}

/** The term itself may have been left out: it is checked later. */
function mergeTerm(term: PodAffinityTerm | undefined, labels: Readonly<Record<string, string>>): void {
  if (term === undefined) return;
  mergeKeys(term.labelSelector, term.matchLabelKeys, { labels, operator: 'In' });
  mergeKeys(term.labelSelector, term.mismatchLabelKeys, { labels, operator: 'NotIn' });
}

/** Without a selector nothing is selected, and that stays so. */
function mergeKeys(
  selector: LabelSelectorObject | undefined,
  keys: readonly string[] = [],
  { labels, operator }: { readonly labels: Readonly<Record<string, string>>; readonly operator: Operator },
): void {
  if (selector === undefined) return;
  const expressions = keys.flatMap((key) => {
    const value = labels[key];
    return value === undefined ? [] : [{ key, operator, values: [value] }];
  });
  if (expressions.length > 0)
    Object.assign(selector, { matchExpressions: [...(selector.matchExpressions ?? []), ...expressions] });
}
