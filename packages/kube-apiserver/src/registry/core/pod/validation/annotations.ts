import {
  appArmorContainerAnnotationPrefix,
  FieldPath,
  forbiddenValue,
  invalidValue,
  mirrorPodAnnotation,
} from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import type { Capabilities } from '../../../capabilities.ts';
import { validateAppArmorAnnotations } from './app-armor-annotations.ts';
import { validateSeccompAnnotations } from './seccomp-annotations.ts';

const path = FieldPath.of('metadata', 'annotations');

/** Annotations that pods are made with (ValidatePodSpecificAnnotationUpdates of pkg/apis/core/validation, 1.36). */
export function validateAnnotationChanges({ metadata }: Pod, old: Pod): FieldError[] {
  const now = metadata?.annotations ?? {};
  const before = old.metadata?.annotations ?? {};
  const errors: FieldError[] = [];
  const report = (key: string, what: string): void => {
    if (key.startsWith(appArmorContainerAnnotationPrefix))
      errors.push(forbiddenValue(path.key(key), `may not ${what} AppArmor annotations`));
    if (key === mirrorPodAnnotation)
      errors.push(forbiddenValue(path.key(key), `may not ${what} mirror pod annotation`));
  };
  for (const key of Object.keys(before)) if (now[key] !== before[key]) report(key, 'remove or update');
  for (const key of Object.keys(now)) if (!(key in before)) report(key, 'add');
  return errors;
}

const deletionCost = 'controller.kubernetes.io/pod-deletion-cost';
const int32 = /^(0|-?[1-9]\d*)$/;

/** What it costs to take this pod rather than another, where it says so, is an int32 (GetDeletionCostFromPodAnnotations). */
export function isDeletionCost({ [deletionCost]: cost }: Readonly<Record<string, string>>): boolean {
  return cost === undefined || (int32.test(cost) && Math.abs(Number(cost)) <= 2 ** 31 - (cost.startsWith('-') ? 0 : 1));
}

/**
 * Annotations that mean something to the server (ValidatePodSpecificAnnotations, without tolerations, which a field has
 * replaced).
 */
export function validatePodAnnotations(
  { metadata, spec }: Pick<Pod, 'metadata' | 'spec'>,
  { forgives }: Pick<Capabilities, 'forgives'>,
  at: FieldPath = path,
): FieldError[] {
  const annotations = metadata?.annotations ?? {};
  const errors: FieldError[] = [];
  const mirror = annotations[mirrorPodAnnotation];
  if (mirror !== undefined && !spec?.nodeName)
    errors.push(
      invalidValue(at.key(mirrorPodAnnotation), mirror, 'must set spec.nodeName if mirror pod annotation is set'),
    );
  if (!isDeletionCost(annotations) && !forgives('deletion cost'))
    errors.push(invalidValue(at.key(deletionCost), annotations[deletionCost], 'must be a 32bit integer'));
  return [
    ...errors,
    ...validateSeccompAnnotations(annotations, at),
    ...validateAppArmorAnnotations(annotations, spec, at),
  ];
}
