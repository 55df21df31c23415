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
import type { FieldError, FieldPath, LabelSelectorRules } from '@kubechain/apimachinery';
import type {
  Affinity,
  NodeSelector,
  PodAffinity,
  PodAffinityTerm,
  TopologySpreadConstraint,
} from '@kubechain/apimachinery/types/core/v1';
import type { Capabilities } from '../../../capabilities.ts';
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
  { forgives }: Pick<Capabilities, 'forgives'>,
): FieldError[] {
  const nodePath = path.child('nodeAffinity');
  const checkValues = !forgives('node affinity values');
  const selectorRules = { allowInvalidValues: forgives('affinity selectors') };
  return [
    ...present<NodeSelector>((selector, at) => validateNodeSelector(selector, at, { checkValues }))(
      nodeAffinity?.[hard],
      nodePath.child(hard),
    ),
    ...items<{ weight: number; preference?: object }>((term, at) => [
      ...weight(term.weight ?? 0, at.child('weight')),
      ...validateNodeSelectorTerm(false)(term.preference ?? {}, at.child('preference')),
    ])(nodeAffinity?.[soft], nodePath.child(soft)),
    ...validatePodAffinity(podAffinity, path.child('podAffinity'), selectorRules),
    ...validatePodAffinity(podAntiAffinity, path.child('podAntiAffinity'), selectorRules),
  ];
}

function validatePodAffinity(
  affinity: Pick<PodAffinity, typeof hard | typeof soft> | undefined,
  path: FieldPath,
  selectorRules: LabelSelectorRules,
): FieldError[] {
  const podTerm = podTermRule(selectorRules);
  return [
    ...items(podTerm)(affinity?.[hard], path.child(hard)),
    ...items<{ weight: number; podAffinityTerm?: PodAffinityTerm }>((term, at) => [
      ...weight(term.weight ?? 0, at.child('weight')),
      ...podTerm(term.podAffinityTerm ?? {}, at.child('podAffinityTerm')),
    ])(affinity?.[soft], path.child(soft)),
  ];
}

const podTermRule =
  (selectorRules: LabelSelectorRules): Rule<Partial<PodAffinityTerm>> =>
  (term, path) => [
    ...validateTermSelectors(term, path, selectorRules),
    ...(term.namespaces ?? []).flatMap((name) => format(isDNS1123Label)(name, path.child('namespace'))),
    ...validateLabelKeys(term, path),
    ...(term.topologyKey ? [] : [required(path.child('topologyKey'), 'can not be empty')]),
    ...format(isQualifiedName)(term.topologyKey ?? '', path.child('topologyKey')),
  ];

/** Which pods a term is about (ValidatePodAffinityTermSelector). */
export function validateTermSelectors(
  { labelSelector, namespaceSelector }: Partial<PodAffinityTerm>,
  path: FieldPath,
  rules: LabelSelectorRules = {},
): FieldError[] {
  return [
    ...validateLabelSelector(labelSelector, path.child('labelSelector'), rules),
    ...validateLabelSelector(namespaceSelector, path.child('namespaceSelector'), rules),
  ];
}

/** Keys whose values the pod's own labels give, besides what the selector says. */
export function validateLabelKeys(
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

/** As constraints were checked before their keys went into their selectors (ValidateMatchLabelKeysInTopologySpread). */
function validateFormerLabelKeys(
  { labelSelector, matchLabelKeys = [] }: Pick<TopologySpreadConstraint, 'labelSelector' | 'matchLabelKeys'>,
  path: FieldPath,
): FieldError[] {
  const at = path.child('matchLabelKeys');
  if (matchLabelKeys.length === 0) return [];
  const known = new Set([
    ...Object.keys(labelSelector?.matchLabels ?? {}),
    ...(labelSelector?.matchExpressions ?? []).map(({ key }) => key),
  ]);
  return [
    ...(labelSelector === undefined ? [forbiddenValue(at, 'must not be specified when labelSelector is not set')] : []),
    ...items<string>((key, where) => [
      ...format(isQualifiedName)(key, where),
      ...(known.has(key) ? [invalidValue(where, key, 'exists in both matchLabelKeys and labelSelector')] : []),
    ])(matchLabelKeys, at),
  ];
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
  { forgives }: Pick<Capabilities, 'forgives'>,
): FieldError[] {
  const validateKeys = forgives('spread keys') ? validateFormerLabelKeys : validateLabelKeys;
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
      ...validateKeys(constraint, at),
      ...(forgives('spread selectors') ? [] : validateLabelSelector(labelSelector, at.child('labelSelector'))),
    ];
  });
}
