import type { PersistentVolumeClaim } from '@kubechain/apimachinery/types/core/v1';
import type { Strategy } from '@kubechain/apiserver/resources';
import type { Capabilities } from '../../capabilities.ts';
import { specStrategy, statusStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { prepareDataSources } from './data-source.ts';
import {
  validatePersistentVolumeClaim,
  validatePersistentVolumeClaimStatus,
  validatePersistentVolumeClaimUpdate,
} from './validation.ts';
import { claimWarnings } from './warnings.ts';

/**
 * PersistentVolumeClaims: pending until a controller binds them (pkg/registry/core/persistentvolumeclaim/strategy.go,
 * 1.36).
 */
export const persistentVolumeClaimStrategy = (capabilities: Capabilities): Strategy =>
  specStrategy({
    status: true,
    ...validated({ create: validatePersistentVolumeClaim, update: validatePersistentVolumeClaimUpdate }),
    warningsOnCreate: (claim) => claimWarnings(claim as PersistentVolumeClaim),
    warningsOnUpdate: (claim) => claimWarnings(claim as PersistentVolumeClaim),
    prepareForCreate(object) {
      const claim = object as PersistentVolumeClaim;
      claim.status = { phase: 'Pending' };
      if (claim.spec !== undefined) prepareDataSources(claim.spec, capabilities);
    },
    prepareForUpdate(object, old) {
      const { spec } = object as PersistentVolumeClaim;
      if (spec !== undefined) prepareDataSources(spec, capabilities, (old as PersistentVolumeClaim).spec);
    },
  });

/** PersistentVolumeClaim's status endpoint. */
export const persistentVolumeClaimStatusStrategy = statusStrategy({
  hooks: validated({ update: validatePersistentVolumeClaimStatus }),
});
