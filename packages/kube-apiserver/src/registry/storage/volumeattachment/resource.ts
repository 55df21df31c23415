import { specStrategy, statusStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateVolumeAttachment, validateVolumeAttachmentUpdate } from './validation.ts';
import { defaultVolumeAttachment } from './defaults.ts';
import { printVolumeAttachment } from '../table.ts';
import { storedResource } from '../../resource.ts';

const rules = validated({ create: validateVolumeAttachment, update: validateVolumeAttachmentUpdate });

/** Serves volumeattachments with status. */
export const volumeAttachmentResource = storedResource({
  group: 'storage.k8s.io',
  plural: 'volumeattachments',
  returnDeletedObject: true,
  strategy: specStrategy({ status: true, allowUnconditionalUpdate: false, ...rules }),
  status: statusStrategy({
    resetMetadata: true,
    hooks: { allowUnconditionalUpdate: false, updateChecksMetadata: ['object'], ...rules },
  }),
  defaults: { v1: defaultVolumeAttachment },
  row: printVolumeAttachment,
});
