import { FieldPath, forbiddenValue, invalidValue, mirrorPodAnnotation, trimSpace } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { Pod, PodSpec } from '@kubechain/apimachinery/types/core/v1';
import type { Capabilities } from '../../../capabilities.ts';
import { each } from '../../../validation/rules.ts';
import { validateAppArmorMatches } from './app-armor-annotations.ts';
import { validatePodAnnotations } from './annotations.ts';
import { validatePodSpec } from './pod-spec.ts';
import { validateSeccompMatches } from './seccomp-annotations.ts';

const specPath = FieldPath.of('spec');

/** Rules of new pods (ValidatePodCreate of pkg/apis/core/validation, 1.36). */
export function validatePod(pod: Pod, capabilities: Capabilities): FieldError[] {
  const errors = validatePodAlways(pod, capabilities);
  if ((pod.spec?.ephemeralContainers?.length ?? 0) > 0)
    errors.push(forbiddenValue(specPath.child('ephemeralContainers'), 'cannot be set on create'));
  if (pod.spec?.nodeName && (pod.spec.schedulingGates?.length ?? 0) > 0)
    errors.push(
      forbiddenValue(specPath.child('nodeName'), 'cannot be set until all schedulingGates have been cleared'),
    );
  const spec = pod.spec ?? { containers: [] };
  return [
    ...errors,
    ...validateSeccompMatches(spec, pod.metadata, specPath),
    ...validateAppArmorMatches(spec, pod.metadata, specPath),
  ];
}

/** What holds for a pod at all times, whichever endpoint changes it. */
export function validatePodAlways(pod: Pod, capabilities: Capabilities): FieldError[] {
  const spec = pod.spec ?? { containers: [] };
  const errors = [
    ...validatePodAnnotations(pod, capabilities),
    ...validatePodSpec(spec, specPath, {
      capabilities,
      isPod: true,
      podName: pod.metadata?.name ?? '',
      mirror: pod.metadata?.annotations?.[mirrorPodAnnotation] !== undefined,
    }),
    ...validateTokens(spec),
  ];
  for (const list of ['containers', 'initContainers'] as const) {
    (spec[list] ?? []).forEach((container, i) => {
      const image = container.image ?? '';
      if (image !== trimSpace(image))
        errors.push(invalidValue(specPath.child(list).index(i).child('image'), image, untrimmed));
    });
  }
  return errors;
}

const untrimmed = 'must not have leading or trailing whitespace';

/** A token needs to know whose it is. */
function validateTokens({ serviceAccountName, volumes }: PodSpec): FieldError[] {
  if (serviceAccountName) return [];
  return each(volumes, ({ projected }, i) =>
    each(projected?.sources, ({ serviceAccountToken }, j) =>
      serviceAccountToken === undefined
        ? []
        : [
            forbiddenValue(
              specPath.child('volumes').index(i).child('projected', 'sources').index(j).child('serviceAccountToken'),
              'must not be specified when serviceAccountName is not set',
            ),
          ],
    ),
  );
}
