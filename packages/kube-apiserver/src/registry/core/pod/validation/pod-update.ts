import {
  append,
  copyDecoded,
  FieldPath,
  forbiddenValue,
  forgetEmptied,
  invalidValue,
  rangeMessage,
  required,
  trimSpace,
} from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type {
  Container,
  NodeAffinity,
  NodeSelectorTerm,
  Pod,
  PodSchedulingGate,
  PodSpec,
  Toleration,
} from '@kubechain/apimachinery/types/core/v1';
import type { Capabilities } from '../../../capabilities.ts';
import { semanticEqual } from '../../../semantic-equal.ts';
import { internalForm } from '../../../validation/internal-form.ts';
import { each } from '../../../validation/rules.ts';
import { validateAnnotationChanges } from './annotations.ts';
import { internalDiff } from '../../../validation/internal-diff.ts';
import { validatePodAlways } from './pod.ts';
import { validateTolerations } from './pod-spec.ts';

const specPath = FieldPath.of('spec');
const maxInt32 = 2 ** 31 - 1;
const changeable =
  '`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` ' +
  '(only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if ' +
  'it was previously negative)';

/**
 * Rules of updates through the main endpoint: images change, deadlines shrink, tolerations come, gates go; a pod
 * behind gates may still be sent to fewer nodes. Everything else stays (ValidatePodUpdate of
 * pkg/apis/core/validation, 1.36).
 */
export function validatePodUpdate(pod: Pod, old: Pod, capabilities: Capabilities): FieldError[] {
  const errors = [...validatePodAlways(pod, capabilities), ...validateAnnotationChanges(pod, old)];
  const spec = specOf(pod);
  const before = specOf(old);
  for (const list of ['containers', 'initContainers'] as const) {
    const path = specPath.child(list);
    if ((spec[list]?.length ?? 0) !== (before[list]?.length ?? 0))
      return [...errors, forbiddenValue(path, 'pod updates may not add or remove containers')];
    append(errors, validateImages(spec[list] ?? [], path));
  }

  const deadline = spec.activeDeadlineSeconds;
  const deadlinePath = specPath.child('activeDeadlineSeconds');
  if (deadline === undefined) {
    if (before.activeDeadlineSeconds !== undefined)
      errors.push(invalidValue(deadlinePath, null, 'must not update from a positive integer to nil value'));
  } else if (deadline < 0 || deadline > maxInt32)
    return [...errors, invalidValue(deadlinePath, deadline, rangeMessage(0, maxInt32))];
  else if (before.activeDeadlineSeconds !== undefined && before.activeDeadlineSeconds < deadline)
    return [...errors, invalidValue(deadlinePath, deadline, 'must be less than or equal to previous value')];

  append(errors, validateAddedTolerations(spec.tolerations ?? [], before.tolerations ?? [], capabilities));
  append(errors, validateRemovedGates(spec.schedulingGates ?? [], before.schedulingGates ?? []));
  if (equalSpecs(spec, before)) return errors;
  const rest = withoutChangeable(spec, before);
  if ((before.schedulingGates?.length ?? 0) > 0) append(errors, takeNodeChoice(rest, before));
  if (!equalSpecs(rest, before))
    errors.push(
      forbiddenValue(
        specPath,
        `pod updates may not change fields other than ${changeable}\n` +
          internalDiff('core.PodSpec', { before, after: rest }, capabilities.internalTypes),
      ),
    );
  return errors;
}

/** Resources of the pod itself are a pointer in Go: none differ from empty ones. */
function equalSpecs(a: PodSpec, b: PodSpec): boolean {
  return (a.resources === undefined) === (b.resources === undefined) && semanticEqual(a, b);
}

function specOf(pod: Pod): PodSpec {
  return pod.spec ?? { containers: [] };
}

function validateImages(containers: readonly Container[], path: FieldPath): FieldError[] {
  return each(containers, ({ image = '' }, i) => {
    const at = path.index(i).child('image');
    return [
      ...(image === '' ? [required(at)] : []),
      ...(image === trimSpace(image) ? [] : [invalidValue(at, image, 'must not have leading or trailing whitespace')]),
    ];
  });
}

/** Of the tolerations that were there only the time may change. */
function validateAddedTolerations(
  now: readonly Toleration[],
  before: readonly Toleration[],
  capabilities: Capabilities,
): FieldError[] {
  const path = specPath.child('tolerations');
  const withoutTime = ({ effect, key = '', operator, value = '' }: Toleration): string =>
    JSON.stringify([key, operator ?? '', value, effect ?? '']);
  const known = new Set(now.map(withoutTime));
  const kept = before.every((old) => known.has(withoutTime(old)));
  return kept
    ? validateTolerations(now, path, capabilities)
    : [forbiddenValue(path, 'existing toleration can not be modified except its tolerationSeconds')];
}

function validateRemovedGates(now: readonly PodSchedulingGate[], before: readonly PodSchedulingGate[]): FieldError[] {
  const known = new Set(before.map(({ name }) => name || ''));
  const positions = new Map(now.map(({ name }, i) => [name || '', i]));
  return [...positions]
    .filter(([name]) => !known.has(name))
    .map(([name, i]) =>
      forbiddenValue(
        specPath.child('schedulingGates').index(i).child('name'),
        `only deletion is allowed, but found new scheduling gate '${name}'`,
      ),
    );
}

/**
 * The new spec with the old values of all fields that may change. Lists of containers are made anew upstream, and are
 * none where they have no entries.
 */
function withoutChangeable(spec: PodSpec, before: PodSpec): PodSpec {
  const rest: PodSpec = copyDecoded(spec);
  for (const list of ['containers', 'initContainers', 'schedulingGates', 'tolerations'] as const)
    forgetEmptied(rest, list);
  for (const list of ['containers', 'initContainers'] as const) {
    const containers = spec[list];
    if (containers !== undefined)
      rest[list] = containers.map((container, i) => withField(container, 'image', before[list]?.[i]?.image));
  }
  for (const field of ['activeDeadlineSeconds', 'schedulingGates', 'tolerations'] as const)
    setField(rest, field, before[field]);
  if ((before.terminationGracePeriodSeconds ?? 0) < 0 && rest.terminationGracePeriodSeconds === 1)
    setField(rest, 'terminationGracePeriodSeconds', before.terminationGracePeriodSeconds);
  return rest;
}

function setField<T extends object, K extends keyof T>(object: T, field: K, value: T[K] | undefined): void {
  if (value === undefined) delete object[field];
  else object[field] = value;
}

function withField<T extends object, K extends keyof T>(object: T, field: K, value: T[K] | undefined): T {
  const copy = copyDecoded(object);
  setField(copy, field, value);
  return copy;
}

/** Checks the choice of nodes of a pod behind gates, which may only become narrower, and takes it out of `rest`. */
function takeNodeChoice(rest: PodSpec, before: PodSpec): FieldError[] {
  const errors: FieldError[] = [];
  const now = rest.nodeSelector ?? {};
  if (!Object.entries(before.nodeSelector ?? {}).every(([key, value]) => now[key] === value))
    errors.push(
      invalidValue(
        specPath.child('nodeSelector'),
        rest.nodeSelector ?? null,
        'only additions to spec.nodeSelector are allowed (no mutations or deletions)',
      ),
    );
  setField(rest, 'nodeSelector', before.nodeSelector);

  const affinity = rest.affinity?.nodeAffinity;
  const affinityBefore = before.affinity?.nodeAffinity;
  if (semanticEqual(affinity, affinityBefore)) return errors;
  append(errors, validateNodeAffinityChange(affinity, affinityBefore));
  const others = { ...rest.affinity };
  setField(others, 'nodeAffinity', affinityBefore);
  setField(rest, 'affinity', Object.keys(others).length === 0 ? undefined : others);
  return errors;
}

/** Terms stay as many as they were, if there were any, and only get more requirements. */
function validateNodeAffinityChange(now: NodeAffinity | undefined, before: NodeAffinity | undefined): FieldError[] {
  const oldTerms = before?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  if (oldTerms === undefined || oldTerms.length === 0) return [];
  const terms = now?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const path = specPath.child(
    'affinity',
    'nodeAffinity',
    'requiredDuringSchedulingIgnoredDuringExecution',
    'nodeSelectorTerms',
  );
  const print = (term: NodeSelectorTerm): unknown => internalForm('core.NodeSelectorTerm', term);
  if (oldTerms.length !== terms.length)
    return [
      invalidValue(
        path,
        terms.length === 0 ? null : terms.map(print),
        'no additions/deletions to non-empty NodeSelectorTerms list are allowed',
      ),
    ];
  return terms.flatMap((term, i) =>
    onlyAdds(term, oldTerms[i] ?? {})
      ? []
      : [invalidValue(path.index(i), print(term), 'only additions are allowed (no mutations or deletions)')],
  );
}

function onlyAdds(term: NodeSelectorTerm, old: NodeSelectorTerm): boolean {
  const lists = ['matchExpressions', 'matchFields'] as const;
  if (lists.every((list) => (old[list]?.length ?? 0) === 0))
    return lists.every((list) => (term[list]?.length ?? 0) === 0);
  return lists.every((list) => semanticEqual((term[list] ?? []).slice(0, old[list]?.length ?? 0), old[list] ?? []));
}
