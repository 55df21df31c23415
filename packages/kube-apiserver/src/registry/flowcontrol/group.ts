import type { GroupProvider } from '../resource.ts';
import { flowSchemaResource } from './flowschema/resource.ts';
import { priorityLevelConfigurationResource } from './prioritylevelconfiguration/resource.ts';

/** The flowcontrol.apiserver.k8s.io group. */
export const flowcontrolGroup: GroupProvider = {
  group: 'flowcontrol.apiserver.k8s.io',
  resources: [flowSchemaResource, priorityLevelConfigurationResource],
};
