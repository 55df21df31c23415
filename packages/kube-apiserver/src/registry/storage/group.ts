import type { GroupProvider } from '../resource.ts';
import { csiDriverResource } from './csidriver/resource.ts';
import { csiNodeResource } from './csinode/resource.ts';
import { csiStorageCapacityResource } from './csistoragecapacity/resource.ts';
import { storageClassResource } from './storageclass/resource.ts';
import { volumeAttachmentResource } from './volumeattachment/resource.ts';
import { volumeAttributesClassResource } from './volumeattributesclass/resource.ts';

/** The storage.k8s.io group. */
export const storageGroup: GroupProvider = {
  group: 'storage.k8s.io',
  resources: [
    csiDriverResource,
    csiNodeResource,
    csiStorageCapacityResource,
    storageClassResource,
    volumeAttachmentResource,
    volumeAttributesClassResource,
  ],
};
