import type { GroupProvider } from '../storage-provider.ts';
import { csiDriverStorage } from './csidriver/storage.ts';
import { csiNodeStorage } from './csinode/storage.ts';
import { csiStorageCapacityStorage } from './csistoragecapacity/storage.ts';
import { storageClassStorage } from './storageclass/storage.ts';
import { volumeAttachmentStorage } from './volumeattachment/storage.ts';
import { volumeAttributesClassStorage } from './volumeattributesclass/storage.ts';

/** The storage.k8s.io group. */
export const storageGroup: GroupProvider = {
  group: 'storage.k8s.io',
  resources: [
    csiDriverStorage,
    csiNodeStorage,
    csiStorageCapacityStorage,
    storageClassStorage,
    volumeAttachmentStorage,
    volumeAttributesClassStorage,
  ],
};
