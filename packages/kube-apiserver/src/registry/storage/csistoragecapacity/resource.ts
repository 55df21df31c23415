import type { CSIStorageCapacity } from '@kubechain/apimachinery/types/storage/v1';
import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import {
  csiStorageCapacityWarnings,
  validateCSIStorageCapacity,
  validateCSIStorageCapacityChange,
} from './validation.ts';
import { storedResource } from '../../resource.ts';

/** Serves csistoragecapacities. */
export const csiStorageCapacityResource = storedResource({
  group: 'storage.k8s.io',
  plural: 'csistoragecapacities',
  strategy: specStrategy({
    allowUnconditionalUpdate: false,
    ...validated({
      create: validateCSIStorageCapacity,
      update: validateCSIStorageCapacity,
      change: validateCSIStorageCapacityChange,
    }),
    warningsOnCreate: (capacity) => csiStorageCapacityWarnings(capacity as CSIStorageCapacity),
    warningsOnUpdate: (capacity) => csiStorageCapacityWarnings(capacity as CSIStorageCapacity),
  }),
});
