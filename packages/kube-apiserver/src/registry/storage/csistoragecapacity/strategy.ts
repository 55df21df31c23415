import type { CSIStorageCapacity } from '@kubechain/apimachinery/types/storage/v1';
import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import {
  csiStorageCapacityWarnings,
  validateCSIStorageCapacity,
  validateCSIStorageCapacityUpdate,
} from './validation.ts';

/** CSIStorageCapacity: what its spec's endpoint does beyond the generic registry. */
export const csiStorageCapacityStrategy = specStrategy({
  allowUnconditionalUpdate: false,
  ...validated({ create: validateCSIStorageCapacity, update: validateCSIStorageCapacityUpdate }),
  warningsOnCreate: (capacity) => csiStorageCapacityWarnings(capacity as CSIStorageCapacity),
  warningsOnUpdate: (capacity) => csiStorageCapacityWarnings(capacity as CSIStorageCapacity),
});
