import { FieldPath, forbiddenValue, invalidValue, required } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { Container, Pod } from '@kubechain/apimachinery/types/core/v1';
import { immutable } from '../../../validation/immutable.ts';
import { validatePodSpec } from './pod-spec.ts';

const specPath = FieldPath.of('spec');

/** Rules of new pods (ValidatePodCreate of pkg/apis/core/validation, 1.36). */
export function validatePod(pod: Pod): FieldError[] {
  const errors = validateAlways(pod);
  if ((pod.spec?.ephemeralContainers?.length ?? 0) > 0) errors.push(forbiddenValue(specPath.child('ephemeralContainers'), 'cannot be set on create'));
  if (pod.spec?.nodeName && (pod.spec.schedulingGates?.length ?? 0) > 0) errors.push(forbiddenValue(specPath.child('nodeName'), 'cannot be set until all schedulingGates have been cleared'));
  return errors;
}

function validateAlways(pod: Pod): FieldError[] {
  const spec = pod.spec ?? { containers: [] };
  const errors = validatePodSpec(spec, specPath);
  for (const list of ['containers', 'initContainers'] as const) {
    (spec[list] ?? []).forEach((container, i) => {
      const image = container.image ?? '';
      if (image !== image.trim()) errors.push(invalidValue(specPath.child(list).index(i).child('image'), image, untrimmed));
    });
  }
  return errors;
}

const untrimmed = 'must not have leading or trailing whitespace';

/** Rules of updates, as far as they are built: containers stay as many as they were (ValidatePodUpdate). */
export function validatePodUpdate(pod: Pod, old: Pod): FieldError[] {
  const errors = validateAlways(pod);
  for (const list of ['containers', 'initContainers'] as const) {
    const path = specPath.child(list);
    const containers: readonly Container[] = pod.spec?.[list] ?? [];
    if (containers.length !== (old.spec?.[list] ?? []).length) return [...errors, forbiddenValue(path, 'pod updates may not add or remove containers')];
    containers.forEach(({ image = '' }, i) => {
      if (image === '') errors.push(required(path.index(i).child('image')));
      if (image !== image.trim()) errors.push(invalidValue(path.index(i).child('image'), image, untrimmed));
    });
  }
  return errors;
}

/** Rules of the status endpoint, as far as they are built (ValidatePodStatusUpdate). */
export function validatePodStatus(pod: Pod, old: Pod): FieldError[] {
  return immutable(FieldPath.of('status', 'qosClass'), pod.status?.qosClass ?? '', old.status?.qosClass ?? '');
}
