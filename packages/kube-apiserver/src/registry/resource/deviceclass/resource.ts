import { nameIsLongName } from '@kubechain/apimachinery';
import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateDeviceClass, validateDeviceClassUpdate } from './validation.ts';
import { printDeviceClass } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** Serves deviceclasses. */
export const deviceClassResource = storedResource({
  group: 'resource.k8s.io',
  plural: 'deviceclasses',
  returnDeletedObject: true,
  strategy: specStrategy({
    ...validated({ create: validateDeviceClass, update: validateDeviceClassUpdate }),
    generation: 'spec',
    validateName: nameIsLongName,
  }),
  row: printDeviceClass,
});
