import { specStrategy, statusStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateVolumeAttachment, validateVolumeAttachmentUpdate } from './validation.ts';
import { defaultVolumeAttachment } from './defaults.ts';
import { printVolumeAttachment } from '../table.ts';
import { storedResource } from '../../resource.ts';
import type { VolumeAttachment } from '@kubechain/apimachinery/types/storage/v1';
import { dropGatedFields, type GatedField } from '../../gated-fields.ts';

/** What a feature brought to errors (pkg/registry/storage/volumeattachment/strategy.go, 1.34 to 1.37). */
const gated: readonly GatedField<VolumeAttachment>[] = [
  {
    gate: 'MutableCSINodeAllocatableCount',
    field: 'errorCode',
    owners: ({ status }) => [status?.attachError, status?.detachError],
  },
];

const rules = validated({ create: validateVolumeAttachment, update: validateVolumeAttachmentUpdate });

/** Serves volumeattachments with status. */
export const volumeAttachmentResource = storedResource({
  group: 'storage.k8s.io',
  plural: 'volumeattachments',
  returnDeletedObject: true,
  strategy: specStrategy({ status: true, allowUnconditionalUpdate: false, ...rules }),
  status: ({ capabilities: { enabled } }) =>
    statusStrategy({
      resetMetadata: true,
      hooks: {
        allowUnconditionalUpdate: false,
        updateChecksMetadata: ['object'],
        ...rules,
        prepareForUpdate: (attachment, old) => {
          dropGatedFields(gated, attachment as VolumeAttachment, { enabled, old: old as VolumeAttachment });
        },
      },
    }),
  defaults: { v1: defaultVolumeAttachment },
  row: printVolumeAttachment,
});
