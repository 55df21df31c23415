import type { LabelSelector } from '@kubechain/apimachinery/types/meta/v1';

/** A selector as Go prints it, which is how the reference's events show it. */
export function describeSelector(selector: LabelSelector | undefined): string {
  if (selector === undefined) return 'nil';
  const labels = Object.entries(selector.matchLabels ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const expressions = (selector.matchExpressions ?? []).map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  );
  return (
    `&LabelSelector{MatchLabels:map[string]string{${labels.map(([key, value]) => `${key}: ${value},`).join('')}}` +
    `,MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`
  );
}
