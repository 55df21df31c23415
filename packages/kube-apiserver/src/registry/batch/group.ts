import type { GroupProvider } from '../resource.ts';
import { cronJobResource } from './cronjob/resource.ts';
import { jobResource } from './job/resource.ts';

/** The batch group. */
export const batchGroup: GroupProvider = {
  group: 'batch',
  resources: [cronJobResource, jobResource],
};
