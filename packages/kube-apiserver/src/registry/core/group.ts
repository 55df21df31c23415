import type { GroupProvider } from '../resource.ts';
import { configMapResource } from './configmap/resource.ts';
import { secretResource } from './secret/resource.ts';
import { endpointsResource } from './endpoints/resource.ts';
import { coreEventResource } from '../events/event/resource.ts';
import { componentStatusResource } from './componentstatus/resource.ts';
import { limitRangeResource } from './limitrange/resource.ts';
import { namespaceResource } from './namespace/resource.ts';
import { nodeResource } from './node/resource.ts';
import { persistentVolumeClaimResource } from './persistentvolumeclaim/resource.ts';
import { persistentVolumeResource } from './persistentvolume/resource.ts';
import { podResource } from './pod/resource.ts';
import { podTemplateResource } from './podtemplate/resource.ts';
import { replicationControllerResource } from './replicationcontroller/resource.ts';
import { resourceQuotaResource } from './resourcequota/resource.ts';
import { serviceAccountResource } from './serviceaccount/resource.ts';
import { serviceResource } from './service/resource.ts';

/** The core group. */
export const coreGroup: GroupProvider = {
  group: '',
  resources: [
    configMapResource,
    secretResource,
    endpointsResource,
    coreEventResource,
    componentStatusResource,
    limitRangeResource,
    namespaceResource,
    nodeResource,
    persistentVolumeClaimResource,
    persistentVolumeResource,
    podResource,
    podTemplateResource,
    replicationControllerResource,
    resourceQuotaResource,
    serviceAccountResource,
    serviceResource,
  ],
};
