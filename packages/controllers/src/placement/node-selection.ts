import { LabelRequirement, selectorOf } from '@kubechain/apimachinery';
import type { Node, NodeSelectorTerm, Pod, Taint, Toleration } from '@kubechain/apimachinery/types/core/v1';

const operators = { In: 'in', NotIn: 'notin', Exists: 'exists', DoesNotExist: '!', Gt: 'gt', Lt: 'lt' } as const;

/** Whether a node has the labels and fields that a term asks for; a term that asks for nothing matches nothing. */
export function matchesTerm(
  { matchExpressions = [], matchFields = [] }: NodeSelectorTerm,
  { metadata }: Node,
): boolean {
  if (matchExpressions.length === 0 && matchFields.length === 0) return false;
  const fields = { 'metadata.name': metadata?.name ?? '' };
  try {
    return (
      selectorOf(matchExpressions.map(requirementOf)).matches(metadata?.labels) &&
      selectorOf(matchFields.map(requirementOf)).matches(fields)
    );
  } catch {
    return false;
  }
}

function requirementOf({
  key,
  operator,
  values = [],
}: {
  key: string;
  operator: string;
  values?: readonly string[];
}): LabelRequirement {
  const known = operators[operator as keyof typeof operators];
  return new LabelRequirement(key, known, [...values]);
}

/** Whether a pod's nodeSelector and required node affinity allow a node. */
export function allowsNode({ spec }: Pod, node: Node): boolean {
  const labels = node.metadata?.labels ?? {};
  if (Object.entries(spec?.nodeSelector ?? {}).some(([key, value]) => labels[key] !== value)) return false;
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required === undefined || (required.nodeSelectorTerms ?? []).some((term) => matchesTerm(term, node));
}

/** The only nodes, by name, that a pod's required affinity can mean; undefined where it does not go by names. */
export function namedNodesOf({ spec }: Pod): ReadonlySet<string> | undefined {
  const terms = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const named = terms.map(({ matchFields = [] }) =>
    matchFields
      .filter(({ key, operator }) => key === 'metadata.name' && operator === 'In')
      .map(({ values = [] }) => new Set(values))
      .reduce<ReadonlySet<string> | undefined>((all, names) => all?.intersection(names) ?? names, undefined),
  );
  if (named.length === 0 || named.includes(undefined)) return undefined;
  return named.reduce<ReadonlySet<string>>((all, names) => all.union(names!), new Set());
}

/** Whether a taint does not keep the pod away. */
export function tolerates(tolerations: readonly Toleration[], taint: Taint): boolean {
  return tolerations.some(
    ({ effect = '', key = '', operator = 'Equal', value = '' }) =>
      (effect === '' || effect === taint.effect) &&
      (key === '' ? operator === 'Exists' : key === taint.key) &&
      (operator === 'Exists' || (operator === 'Equal' && value === (taint.value ?? ''))),
  );
}

/** The first taint of one of these effects that the pod does not tolerate. */
export function untolerated(pod: Pod, node: Node, effects: readonly string[]): Taint | undefined {
  const tolerations = pod.spec?.tolerations ?? [];
  return node.spec?.taints?.find((taint) => effects.includes(taint.effect) && !tolerates(tolerations, taint));
}
