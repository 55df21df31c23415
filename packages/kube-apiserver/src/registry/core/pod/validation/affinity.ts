import {
  append,
  duplicate,
  forbiddenValue,
  invalidValue,
  isDNS1123Label,
  isQualifiedName,
  notSupported,
  required,
  validateLabelSelector,
} from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import type {
  Affinity,
  PodAffinity,
  PodAffinityTerm,
  TopologySpreadConstraint,
} from '@kubechain/apimachinery/types/core/v1';
import { format, inRange, items, oneOfIfSet, present } from '../../../validation/rules.ts';
import type { Rule } from '../../../validation/rules.ts';
import { validateNodeSelector, validateNodeSelectorTerm } from './node-selector.ts';

const hard = 'requiredDuringSchedulingIgnoredDuringExecution';
const soft = 'preferredDuringSchedulingIgnoredDuringExecution';
const weight = inRange(1, 100, 'must be in the range 1-100');

/** Nodes and pods that a pod wants to be near to, or far from (validateAffinity of pkg/apis/core/validation, 1.36). */
export function validateAffinity(
  { nodeAffinity, podAffinity, podAntiAffinity }: Affinity,
  path: FieldPath,
): FieldError[] {
  const nodePath = path.child('nodeAffinity');
  return [
    ...present(validateNodeSelector)(nodeAffinity?.[hard], nodePath.child(hard)),
    ...items<{ weight: number; preference?: object }>((term, at) => [
      ...weight(term.weight ?? 0, at.child('weight')),
      ...validateNodeSelectorTerm(false)(term.preference ?? {}, at.child('preference')),
    ])(nodeAffinity?.[soft], nodePath.child(soft)),
    ...validatePodAffinity(podAffinity, path.child('podAffinity')),
    ...validatePodAffinity(podAntiAffinity, path.child('podAntiAffinity')),
  ];
}

function validatePodAffinity(
  affinity: Pick<PodAffinity, typeof hard | typeof soft> | undefined,
  path: FieldPath,
): FieldError[] {
  return [
    ...items(podTerm)(affinity?.[hard], path.child(hard)),
    ...items<{ weight: number; podAffinityTerm?: PodAffinityTerm }>((term, at) => [
      ...weight(term.weight ?? 0, at.child('weight')),
      ...podTerm(term.podAffinityTerm ?? {}, at.child('podAffinityTerm')),
    ])(affinity?.[soft], path.child(soft)),
  ];
}

const podTerm: Rule<Partial<PodAffinityTerm>> = (term, path) => [
  ...validateLabelSelector(term.labelSelector, path.child('labelSelector')),
  ...validateLabelSelector(term.namespaceSelector, path.child('namespaceSelector')),
  ...(term.namespaces ?? []).flatMap((name) => format(isDNS1123Label)(name, path.child('namespace'))),
  ...validateLabelKeys(term, path),
  ...(term.topologyKey ? [] : [required(path.child('topologyKey'), 'can not be empty')]),
  ...format(isQualifiedName)(term.topologyKey ?? '', path.child('topologyKey')),
];

/** Keys whose values the pod's own labels give, besides what the selector says. */
function validateLabelKeys(
  {
    labelSelector,
    matchLabelKeys = [],
    mismatchLabelKeys = [],
  }: Pick<PodAffinityTerm, 'labelSelector' | 'matchLabelKeys' | 'mismatchLabelKeys'>,
  path: FieldPath,
): FieldError[] {
  const names = (keys: readonly string[], at: FieldPath): FieldError[] => {
    if (keys.length === 0) return [];
    return labelSelector === undefined
      ? [forbiddenValue(at, 'must not be specified when labelSelector is not set')]
      : items(format(isQualifiedName))(keys, at);
  };
  const errors = [
    ...names(matchLabelKeys, path.child('matchLabelKeys')),
    ...names(mismatchLabelKeys, path.child('mismatchLabelKeys')),
  ];
  const seen = new Set(Object.keys(labelSelector?.matchLabels ?? {}));
  const places = new Map(matchLabelKeys.map((key, i) => [key, i]));
  const mismatched = new Set(mismatchLabelKeys);
  for (const { key } of labelSelector?.matchExpressions ?? []) {
    const i = places.get(key);
    if (i !== undefined && seen.has(key))
      errors.push(invalidValue(path.index(i), key, 'exists in both matchLabelKeys and labelSelector'));
    seen.add(key);
  }
  matchLabelKeys.forEach((key, i) => {
    if (mismatched.has(key))
      errors.push(
        invalidValue(path.child('matchLabelKeys').index(i), key, 'exists in both matchLabelKeys and mismatchLabelKeys'),
      );
  });
  return errors;
}

const aboveZero: Rule<number> = (value, path) =>
  value > 0 ? [] : [invalidValue(path, value, 'must be greater than zero')];

const whenUnsatisfiable = ['DoNotSchedule', 'ScheduleAnyway'];
const inclusion = oneOfIfSet(['Honor', 'Ignore']);

/** The same of constraints that say the same of the same domains. */
function placement({ topologyKey, whenUnsatisfiable }: Partial<TopologySpreadConstraint>): string {
  const key = topologyKey ?? '';
  return `${key.length} ${key} ${whenUnsatisfiable ?? ''}`;
}

/** How evenly pods are spread (validateTopologySpreadConstraints). */
export function validateTopologySpread(
  constraints: readonly TopologySpreadConstraint[],
  path: FieldPath,
): FieldError[] {
  const last = new Map(constraints.map((constraint, i) => [placement(constraint), i]));
  return constraints.flatMap((constraint, i) => {
    const at = path.index(i);
    const {
      labelSelector,
      maxSkew = 0,
      minDomains,
      topologyKey = '',
    } = constraint as Partial<TopologySpreadConstraint>;
    const action: string = constraint.whenUnsatisfiable ?? '';
    const errors = aboveZero(maxSkew, at.child('maxSkew'));
    if (topologyKey === '') errors.push(required(at.child('topologyKey'), 'can not be empty'));
    if (!whenUnsatisfiable.includes(action))
      errors.push(notSupported(at.child('whenUnsatisfiable'), action, whenUnsatisfiable));
    if (last.get(placement(constraint)) !== i)
      errors.push(duplicate(at.child('{topologyKey, whenUnsatisfiable}'), `{${topologyKey}, ${action}}`));
    if (minDomains !== undefined) {
      append(errors, aboveZero(minDomains, at.child('minDomains')));
      if (action !== 'DoNotSchedule')
        errors.push(
          invalidValue(
            at.child('minDomains'),
            minDomains,
            `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`,
          ),
        );
    }
    return [
      ...errors,
      ...inclusion(constraint.nodeAffinityPolicy, at.child('nodeAffinityPolicy')),
      ...inclusion(constraint.nodeTaintsPolicy, at.child('nodeTaintsPolicy')),
      ...validateLabelKeys(constraint, at),
      ...validateLabelSelector(labelSelector, at.child('labelSelector')),
    ];
  });
}
