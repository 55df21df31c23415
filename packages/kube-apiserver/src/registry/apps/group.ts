import type { GroupProvider } from '../storage-provider.ts';
import { controllerRevisionStorage } from './controllerrevision/storage.ts';
import { daemonSetStorage } from './daemonset/storage.ts';
import { deploymentStorage } from './deployment/storage.ts';
import { replicaSetStorage } from './replicaset/storage.ts';
import { statefulSetStorage } from './statefulset/storage.ts';

/** The apps group. */
export const appsGroup: GroupProvider = {
  group: 'apps',
  resources: [controllerRevisionStorage, daemonSetStorage, deploymentStorage, replicaSetStorage, statefulSetStorage],
};
