import type { VolumeAttachment } from '@kubechain/apimachinery/types/storage/v1';
import { defaultHostPath } from '../../core/pod/volume-defaults.ts';
import { roundResourceList } from '../../core/resource-list.ts';

/** Defaults of volume attachments: of the volume described in them (pkg/apis/storage/v1, 1.36). */
export function defaultVolumeAttachment(attachment: VolumeAttachment): void {
  const volume = attachment.spec?.source?.inlineVolumeSpec;
  if (volume === undefined) return;
  roundResourceList(volume.capacity);
  defaultHostPath(volume.hostPath);
}
