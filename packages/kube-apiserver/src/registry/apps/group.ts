import type { GroupProvider } from '../resource.ts';
import { controllerRevisionResource } from './controllerrevision/resource.ts';
import { daemonSetResource } from './daemonset/resource.ts';
import { deploymentResource } from './deployment/resource.ts';
import { replicaSetResource } from './replicaset/resource.ts';
import { statefulSetResource } from './statefulset/resource.ts';

/** The apps group. */
export const appsGroup: GroupProvider = {
  group: 'apps',
  resources: [
    controllerRevisionResource,
    daemonSetResource,
    deploymentResource,
    replicaSetResource,
    statefulSetResource,
  ],
};
