import type { StorageClass } from '@kubechain/apimachinery/types/storage/v1';
import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { storageClassWarnings, validateStorageClass, validateStorageClassUpdate } from './validation.ts';

/** StorageClass: what its spec's endpoint does beyond the generic registry. */
export const storageClassStrategy = specStrategy({
  ...validated({ create: validateStorageClass, update: validateStorageClassUpdate }),
  warningsOnCreate: (storageClass) => storageClassWarnings(storageClass as StorageClass),
  warningsOnUpdate: (storageClass) => storageClassWarnings(storageClass as StorageClass),
});
