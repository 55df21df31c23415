import { nameIsLongName } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { dropGatedFields } from '../../gated-fields.ts';
import type { GatedField } from '../../gated-fields.ts';
import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateDeviceClass, validateDeviceClassUpdate } from './validation.ts';
import { printDeviceClass } from '../table.ts';
import { storedResource } from '../../resource.ts';

const gated: readonly GatedField<KubeObject>[] = [
  {
    gate: 'DRAExtendedResource',
    field: 'extendedResourceName',
    owners: (deviceClass) => [deviceClass['spec']],
  },
];

/** Serves deviceclasses. */
export const deviceClassResource = storedResource({
  group: 'resource.k8s.io',
  plural: 'deviceclasses',
  returnDeletedObject: true,
  strategy: ({ capabilities: { enabled } }) =>
    specStrategy({
      ...validated({ create: validateDeviceClass, update: validateDeviceClassUpdate }),
      generation: 'spec',
      validateName: nameIsLongName,
      prepareForCreate: (deviceClass) => {
        dropGatedFields(gated, deviceClass, { enabled, old: undefined });
      },
      prepareForUpdate: (deviceClass, old) => {
        dropGatedFields(gated, deviceClass, { enabled, old });
      },
    }),
  row: printDeviceClass,
});
