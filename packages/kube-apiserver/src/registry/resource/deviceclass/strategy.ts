import { nameIsLongName } from '@kubechain/apimachinery';
import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateDeviceClass, validateDeviceClassUpdate } from './validation.ts';

/** DeviceClass: what its spec's endpoint does beyond the generic registry. */
export const deviceClassStrategy = specStrategy({
  ...validated({ create: validateDeviceClass, update: validateDeviceClassUpdate }),
  generation: 'spec',
  validateName: nameIsLongName,
});
