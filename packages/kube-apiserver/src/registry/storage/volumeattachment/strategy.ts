import { specStrategy, statusStrategy } from '../../spec-strategy.ts';

/** VolumeAttachment: what its spec's endpoint does beyond the generic registry. */
export const volumeAttachmentStrategy = specStrategy({ status: true, allowUnconditionalUpdate: false });

/** VolumeAttachment's status endpoint. */
export const volumeAttachmentStatusStrategy = statusStrategy({ resetMetadata: true });
