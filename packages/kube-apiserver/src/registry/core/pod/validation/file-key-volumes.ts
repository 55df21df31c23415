import { invalidValue, valueNotFound } from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import type { PodSpec } from '@kubechain/apimachinery/types/core/v1';
import { allContainers } from './container.ts';

/**
 * The volumes of variables from files are the pod's, and empty directories (validateFileKeyRefVolumes of
 * pkg/apis/core/validation, 1.36).
 */
export function validateFileKeyVolumes(spec: PodSpec, path: FieldPath): FieldError[] {
  const volumes = new Map((spec.volumes ?? []).map((volume) => [volume.name || '', volume]));
  return allContainers(spec, path).flatMap(([{ env = [] }, at]) =>
    env.flatMap(({ valueFrom }, i) => {
      if (valueFrom?.fileKeyRef === undefined) return [];
      const name = valueFrom.fileKeyRef.volumeName || '';
      const namePath = at.child('env').index(i).child('valueFrom', 'fileKeyRef', 'volumeName');
      const volume = volumes.get(name);
      if (volume === undefined) return [valueNotFound(namePath, name)];
      return volume.emptyDir === undefined
        ? [invalidValue(namePath, name, 'referenced volume must be of type emptyDir')]
        : [];
    }),
  );
}
