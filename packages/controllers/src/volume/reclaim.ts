import type { PersistentVolume } from '@kubechain/apimachinery/types/core/v1';
import { volumeAnnotations } from './volume-annotations.ts';

/** What becomes of a volume whose claim is gone. */
export type Reclaim =
  | { readonly kind: 'none' | 'delete' | 'recycle' }
  | { readonly kind: 'fail'; readonly reason: string; readonly message: string };

/**
 * What the reclaim policy asks the binder to do. Volumes of external provisioners are theirs; a path on a host and an
 * NFS export are the only ones that the reference itself deletes (below /tmp) or empties, and without a host there is
 * nothing to do about them.
 */
export function reclaimOf({ metadata, spec }: PersistentVolume): Reclaim {
  const name = metadata?.name ?? '';
  switch (spec?.persistentVolumeReclaimPolicy) {
    case 'Retain':
      return { kind: 'none' };
    case 'Recycle':
      return spec.hostPath !== undefined || spec.nfs !== undefined
        ? { kind: 'recycle' }
        : { kind: 'fail', reason: 'VolumeFailedRecycle', message: 'No recycler plugin found for the volume!' };
    case 'Delete': {
      const provisioner = metadata?.annotations?.[volumeAnnotations.provisionedBy] ?? '';
      if (provisioner !== '' && !provisioner.startsWith('kubernetes.io/')) return { kind: 'none' };
      if (spec.csi !== undefined) return { kind: 'none' };
      const path = spec.hostPath?.path;
      if (path?.startsWith('/tmp/') === true && path.length > '/tmp/'.length) return { kind: 'delete' };
      const message =
        path === undefined
          ? `error getting deleter volume plugin for volume "${name}": no deletable volume plugin matched`
          : `host_path deleter only supports /tmp/.+ but received provided ${path}`;
      return { kind: 'fail', reason: 'VolumeFailedDelete', message };
    }
    default:
      return {
        kind: 'fail',
        reason: 'VolumeUnknownReclaimPolicy',
        message: 'Volume has unrecognized PersistentVolumeReclaimPolicy',
      };
  }
}
