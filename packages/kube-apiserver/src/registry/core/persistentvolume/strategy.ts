import { formatTime } from '@kubechain/apimachinery';
import type { Clock } from '@kubechain/apimachinery';
import type { PersistentVolume } from '@kubechain/apimachinery/types/core/v1';
import type { Strategy } from '@kubechain/apiserver/resources';
import type { Capabilities } from '../../capabilities.ts';
import { specStrategy, statusStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import {
  validatePersistentVolume,
  validatePersistentVolumeChange,
  validatePersistentVolumeUpdate,
} from './validation.ts';
import { volumeWarnings } from './warnings.ts';

/**
 * PersistentVolumes: pending until a controller finds them a claim (pkg/registry/core/persistentvolume/strategy.go,
 * 1.36).
 */
export function persistentVolumeStrategy(clock: Clock, capabilities: Capabilities): Strategy {
  return specStrategy({
    status: true,
    ...validated<PersistentVolume>({
      create: (volume) => validatePersistentVolume(volume),
      update: validatePersistentVolumeUpdate,
      change: (volume, old) => validatePersistentVolumeChange(volume, old, capabilities),
    }),
    warningsOnCreate: (volume) => volumeWarnings(volume as PersistentVolume),
    warningsOnUpdate: (volume) => volumeWarnings(volume as PersistentVolume),
    prepareForCreate(volume) {
      volume['status'] = { phase: 'Pending', lastPhaseTransitionTime: formatTime(clock.now()) };
    },
  });
}

/** The status endpoint: notes when the phase changed, unless the caller says when. */
export function persistentVolumeStatusStrategy(clock: Clock): Strategy {
  return statusStrategy({
    hooks: {
      prepareForUpdate(object, old) {
        const status = ((object as PersistentVolume).status ??= {});
        const before = (old as PersistentVolume).status ?? {};
        if (status.phase === before.phase) {
          if (before.lastPhaseTransitionTime !== undefined)
            status.lastPhaseTransitionTime ??= before.lastPhaseTransitionTime;
        } else if (
          status.lastPhaseTransitionTime === undefined ||
          status.lastPhaseTransitionTime === before.lastPhaseTransitionTime
        ) {
          status.lastPhaseTransitionTime = formatTime(clock.now());
        }
      },
    },
  });
}
