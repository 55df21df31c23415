import type { GroupProvider } from '../storage-provider.ts';
import { configMapStorage } from './configmap/storage.ts';
import { secretStorage } from './secret/storage.ts';
import { endpointsStorage } from './endpoints/storage.ts';
import { coreEventStorage } from '../events/event/storage.ts';
import { componentStatusStorage } from './componentstatus/storage.ts';
import { limitRangeStorage } from './limitrange/storage.ts';
import { namespaceStorage } from './namespace/storage.ts';
import { nodeStorage } from './node/storage.ts';
import { persistentVolumeClaimStorage } from './persistentvolumeclaim/storage.ts';
import { persistentVolumeStorage } from './persistentvolume/storage.ts';
import { podStorage } from './pod/storage.ts';
import { podTemplateStorage } from './podtemplate/storage.ts';
import { replicationControllerStorage } from './replicationcontroller/storage.ts';
import { resourceQuotaStorage } from './resourcequota/storage.ts';
import { serviceAccountStorage } from './serviceaccount/storage.ts';
import { serviceStorage } from './service/storage.ts';

/** The core group. */
export const coreGroup: GroupProvider = {
  group: '',
  resources: [
    configMapStorage,
    secretStorage,
    endpointsStorage,
    coreEventStorage,
    componentStatusStorage,
    limitRangeStorage,
    namespaceStorage,
    nodeStorage,
    persistentVolumeClaimStorage,
    persistentVolumeStorage,
    podStorage,
    podTemplateStorage,
    replicationControllerStorage,
    resourceQuotaStorage,
    serviceAccountStorage,
    serviceStorage,
  ],
};
