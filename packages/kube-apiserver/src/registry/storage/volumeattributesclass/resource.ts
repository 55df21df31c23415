import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateVolumeAttributesClass, validateVolumeAttributesClassChange } from './validation.ts';
import { printVolumeAttributesClass } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** Serves volumeattributesclasses. */
export const volumeAttributesClassResource = storedResource({
  group: 'storage.k8s.io',
  plural: 'volumeattributesclasses',
  returnDeletedObject: true,
  strategy: specStrategy(
    validated({
      create: validateVolumeAttributesClass,
      update: validateVolumeAttributesClass,
      change: validateVolumeAttributesClassChange,
    }),
  ),
  row: printVolumeAttributesClass,
});
