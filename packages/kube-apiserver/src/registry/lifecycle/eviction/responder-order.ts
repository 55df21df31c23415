import type { TargetResponder } from '../lifecycle-types.ts';

/**
 * Responders in the order in which their turns come: by priority, the highest first, then by domain from its top, then
 * by key (SortTargetResponders of pkg/apis/lifecycle/validation, 1.37).
 */
export function inOrder(responders: readonly TargetResponder[]): TargetResponder[] {
  return responders.toSorted(compare);
}

function compare(a: TargetResponder, b: TargetResponder): number {
  if (a.priority !== b.priority) {
    if (a.priority === undefined) return 1;
    if (b.priority === undefined) return -1;
    return b.priority - a.priority;
  }
  const first = partsOf(a);
  const second = partsOf(b);
  for (const [i, label] of first.labels.entries()) {
    const other = second.labels[i];
    if (other === undefined) return 1;
    if (label !== other) return label < other ? -1 : 1;
  }
  if (second.labels.length > first.labels.length) return -1;
  return first.key === second.key ? 0 : first.key < second.key ? -1 : 1;
}

function partsOf({ name = '' }: TargetResponder): { readonly labels: readonly string[]; readonly key: string } {
  const slash = name.indexOf('/');
  const domain = slash < 0 ? name : name.slice(0, slash);
  return { labels: domain.split('.').toReversed(), key: slash < 0 ? '' : name.slice(slash + 1) };
}
