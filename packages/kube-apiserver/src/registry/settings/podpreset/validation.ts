import { FieldPath, required, validateLabelSelector } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { PodPreset } from '@kubechain/apimachinery/types/settings/v1alpha1';
import { unforgiving } from '../../capabilities.ts';
import { validateEnv, validateEnvFrom } from '../../core/pod/validation/env.ts';
import { validateMounts } from '../../core/pod/validation/mounts.ts';
import { validateVolumes } from '../../core/pod/validation/volumes.ts';

const path = FieldPath.of('spec');

/** Rules of pod presets (ValidatePodPreset of pkg/apis/settings/validation, 1.19). */
export function validatePodPreset({ spec = {} }: PodPreset): FieldError[] {
  const { env, envFrom, selector, volumeMounts, volumes } = spec;
  const says = [env, envFrom, volumeMounts, volumes].some((list) => list !== undefined);
  const { byName, errors } = validateVolumes(volumes, path.child('volumes'), {
    isPod: false,
    podName: '',
    ...unforgiving,
  });
  return [
    ...validateLabelSelector(selector, path.child('selector')),
    ...(says ? [] : [required(path.child('volumes', 'env', 'envFrom', 'volumeMounts'), 'must specify at least one')]),
    ...errors,
    ...validateEnv(env, path.child('env')),
    ...validateEnvFrom(envFrom, path.child('envFrom')),
    ...validateMounts({ name: '', volumeMounts: volumeMounts ?? [] }, path.child('volumeMounts'), byName),
  ];
}
