import type { GroupProvider } from '../storage-provider.ts';
import { cronJobStorage } from './cronjob/storage.ts';
import { jobStorage } from './job/storage.ts';

/** The batch group. */
export const batchGroup: GroupProvider = {
  group: 'batch',
  resources: [cronJobStorage, jobStorage],
};
