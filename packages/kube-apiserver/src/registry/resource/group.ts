import type { GroupProvider } from '../resource.ts';
import { deviceClassResource } from './deviceclass/resource.ts';
import { deviceTaintRuleResource } from './devicetaintrule/resource.ts';
import { resourceClaimResource } from './resourceclaim/resource.ts';
import { resourceClaimTemplateResource } from './resourceclaimtemplate/resource.ts';
import { resourcePoolStatusRequestResource } from './resourcepoolstatusrequest/resource.ts';
import { resourceSliceResource } from './resourceslice/resource.ts';

/** The resource.k8s.io group. */
export const resourceGroup: GroupProvider = {
  group: 'resource.k8s.io',
  resources: [
    deviceClassResource,
    resourceClaimResource,
    resourceClaimTemplateResource,
    resourceSliceResource,
    deviceTaintRuleResource,
    resourcePoolStatusRequestResource,
  ],
};
