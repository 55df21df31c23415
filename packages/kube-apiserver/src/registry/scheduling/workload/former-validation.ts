import {
  FieldPath,
  duplicate,
  invalidValue,
  isDNS1123Label,
  isDNS1123Subdomain,
  isPathSegmentName,
  required,
  tooMany,
} from '@kubechain/apimachinery';
import type { FieldError, KubeObject } from '@kubechain/apimachinery';
import { semanticEqual } from '../../semantic-equal.ts';

/** A workload of scheduling.k8s.io/v1alpha1, which 1.35 has and later releases have not. */
export interface FormerWorkload extends KubeObject {
  readonly spec?: {
    readonly controllerRef?: { readonly apiGroup?: string; readonly kind?: string; readonly name?: string };
    readonly podGroups?: readonly FormerPodGroup[];
  };
}

interface FormerPodGroup {
  readonly name?: string;
  readonly policy?: { readonly basic?: object; readonly gang?: { readonly minCount?: number } };
}

const specPath = FieldPath.of('spec');
const groupsPath = specPath.child('podGroups');
const maxGroups = 8;

/** Source: ValidateWorkload of pkg/apis/scheduling/validation, 1.35. */
export function validateFormerWorkload({ spec = {} }: FormerWorkload): FieldError[] {
  const { controllerRef, podGroups = [] } = spec;
  const errors = controllerRef === undefined ? [] : controllerMistakes(controllerRef);
  if (podGroups.length === 0) return [...errors, required(groupsPath, 'must have at least one item')];
  if (podGroups.length > maxGroups) return [...errors, tooMany(groupsPath, podGroups.length, maxGroups)];
  const names = new Set<string>();
  return [...errors, ...podGroups.flatMap((group, i) => groupMistakes(group, groupsPath.index(i), names))];
}

/** Groups never change, nor does a controller that is named. */
export function validateFormerWorkloadUpdate(workload: FormerWorkload, old: FormerWorkload): FieldError[] {
  const { controllerRef, podGroups } = workload.spec ?? {};
  const { controllerRef: controllerBefore, podGroups: before } = old.spec ?? {};
  return [
    ...validateFormerWorkload(workload),
    ...(controllerBefore === undefined || semanticEqual(controllerRef, controllerBefore)
      ? []
      : [invalidValue(FieldPath.of('controllerRef'), controllerForm(controllerRef), 'field is immutable')]),
    ...(semanticEqual(podGroups, before)
      ? []
      : [invalidValue(FieldPath.of('podGroups'), (podGroups ?? []).map(groupForm), 'field is immutable')]),
  ];
}

function controllerMistakes({
  apiGroup = '',
  kind = '',
  name = '',
}: NonNullable<NonNullable<FormerWorkload['spec']>['controllerRef']>): FieldError[] {
  const path = specPath.child('controllerRef');
  const segment = (field: string, value: string): FieldError[] =>
    value === ''
      ? [required(path.child(field))]
      : isPathSegmentName(value).map((message) => invalidValue(path.child(field), value, message));
  return [
    ...(apiGroup === ''
      ? []
      : isDNS1123Subdomain(apiGroup).map((message) => invalidValue(path.child('apiGroup'), apiGroup, message))),
    ...segment('kind', kind),
    ...segment('name', name),
  ];
}

function groupMistakes({ name = '', policy = {} }: FormerPodGroup, path: FieldPath, names: Set<string>): FieldError[] {
  const errors = isDNS1123Label(name).map((message) => invalidValue(path.child('name'), name, message));
  if (names.has(name)) errors.push(duplicate(path.child('name'), name));
  names.add(name);
  const { basic, gang } = policy;
  const policyPath = path.child('policy');
  const one = 'exactly one of `basic`, `gang` is required';
  if (basic === undefined && gang === undefined) errors.push(required(policyPath, one));
  else if (basic !== undefined && gang !== undefined)
    errors.push(invalidValue(policyPath, '{`basic`, `gang`}', `${one}, but multiple fields are set`));
  else if (gang !== undefined && (gang.minCount ?? 0) <= 0)
    errors.push(
      invalidValue(policyPath.child('gang').child('minCount'), gang.minCount ?? 0, 'must be greater than zero'),
    );
  return errors;
}

/** As the reference prints them: its own types, by Go's names. */
function controllerForm(reference: NonNullable<FormerWorkload['spec']>['controllerRef']): object | null {
  if (reference === undefined) return null;
  const { apiGroup = '', kind = '', name = '' } = reference;
  return { APIGroup: apiGroup, Kind: kind, Name: name };
}

function groupForm({ name = '', policy = {} }: FormerPodGroup): object {
  const { basic, gang } = policy;
  return {
    Name: name,
    Policy: {
      Basic: basic === undefined ? null : {},
      Gang: gang === undefined ? null : { MinCount: gang.minCount ?? 0 },
    },
  };
}
