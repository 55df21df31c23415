import { specStrategy, statusStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateVolumeAttachment, validateVolumeAttachmentUpdate } from './validation.ts';

const rules = validated({ create: validateVolumeAttachment, update: validateVolumeAttachmentUpdate });

/** VolumeAttachment: what its spec's endpoint does beyond the generic registry. */
export const volumeAttachmentStrategy = specStrategy({ status: true, allowUnconditionalUpdate: false, ...rules });

/** VolumeAttachment's status endpoint. */
export const volumeAttachmentStatusStrategy = statusStrategy({
  resetMetadata: true,
  hooks: { allowUnconditionalUpdate: false, updateChecksMetadata: ['object'], ...rules },
});
