import type { PersistentVolume } from '@kubechain/apimachinery/types/core/v1';
import { defaultHostPath } from '../pod/volume-defaults.ts';
import { roundResourceList } from '../resource-list.ts';

/** Defaults of persistent volumes (pkg/apis/core/v1, 1.36). */
export function defaultPersistentVolume(volume: PersistentVolume): void {
  const spec = (volume.spec ??= {});
  const status = (volume.status ??= {});
  status.phase ||= 'Pending';
  spec.persistentVolumeReclaimPolicy ||= 'Retain';
  spec.volumeMode ??= 'Filesystem';
  roundResourceList(spec.capacity);
  defaultHostPath(spec.hostPath);
}
