import type { StorageClass } from '@kubechain/apimachinery/types/storage/v1';
import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { storageClassWarnings, validateStorageClass, validateStorageClassChange } from './validation.ts';
import { defaultStorageClass } from './defaults.ts';
import { printStorageClass } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** Serves storageclasses. */
export const storageClassResource = storedResource({
  group: 'storage.k8s.io',
  plural: 'storageclasses',
  returnDeletedObject: true,
  strategy: specStrategy({
    ...validated({ create: validateStorageClass, update: validateStorageClass, change: validateStorageClassChange }),
    warningsOnCreate: (storageClass) => storageClassWarnings(storageClass as StorageClass),
    warningsOnUpdate: (storageClass) => storageClassWarnings(storageClass as StorageClass),
  }),
  defaults: { v1: defaultStorageClass },
  row: printStorageClass,
});
