import { FieldPath, forbiddenValue, mirrorPodAnnotation } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import type { Capabilities } from '../../../capabilities.ts';
import { semanticEqual } from '../../../semantic-equal.ts';
import { validateAnnotationChanges } from './annotations.ts';
import { internalDiff } from '../../../validation/internal-diff.ts';
import { validatePodAlways } from './pod.ts';

const path = FieldPath.of('spec', 'ephemeralContainers');

/**
 * Rules of the ephemeralcontainers endpoint: what is there stays (ValidatePodEphemeralContainersUpdate of
 * pkg/apis/core/validation, 1.36).
 */
export function validateEphemeralContainersUpdate(pod: Pod, old: Pod, capabilities: Capabilities): FieldError[] {
  if (old.metadata?.annotations?.[mirrorPodAnnotation] !== undefined)
    return [forbiddenValue(FieldPath.of(''), 'static pods do not support ephemeral containers')];
  const errors = [...validatePodAlways(pod, capabilities), ...validateAnnotationChanges(pod, old)];
  const byName = new Map((pod.spec?.ephemeralContainers ?? []).map((container) => [container.name, container]));
  for (const before of old.spec?.ephemeralContainers ?? []) {
    const now = byName.get(before.name);
    if (now === undefined)
      errors.push(
        forbiddenValue(path, `existing ephemeral containers ${JSON.stringify(before.name)} may not be removed\n`),
      );
    else if (!semanticEqual(before, now))
      errors.push(
        forbiddenValue(
          path,
          `existing ephemeral containers ${JSON.stringify(before.name)} may not be ` +
            `changed\n${internalDiff('core.EphemeralContainer', { before, after: now }, capabilities.internalTypes)}`,
        ),
      );
  }
  return errors;
}
