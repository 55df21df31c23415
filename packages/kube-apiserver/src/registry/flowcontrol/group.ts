import type { GroupProvider } from '../storage-provider.ts';
import { flowSchemaStorage } from './flowschema/storage.ts';
import { priorityLevelConfigurationStorage } from './prioritylevelconfiguration/storage.ts';

/** The flowcontrol.apiserver.k8s.io group. */
export const flowcontrolGroup: GroupProvider = {
  group: 'flowcontrol.apiserver.k8s.io',
  resources: [flowSchemaStorage, priorityLevelConfigurationStorage],
};
