import type { CSIStorageCapacity } from '@kubechain/apimachinery/types/storage/v1';
import { specStrategy } from '../../spec-strategy.ts';
import { keptSelectorRules } from '../../validation/kept-selectors.ts';
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
      create: (capacity: CSIStorageCapacity) => validateCSIStorageCapacity(capacity),
      update: (capacity: CSIStorageCapacity, old: CSIStorageCapacity) =>
        validateCSIStorageCapacity(capacity, keptSelectorRules([old.nodeTopology])),
      change: validateCSIStorageCapacityChange,
    }),
    warningsOnCreate: (capacity) => csiStorageCapacityWarnings(capacity as CSIStorageCapacity),
    warningsOnUpdate: (capacity) => csiStorageCapacityWarnings(capacity as CSIStorageCapacity),
  }),
});
