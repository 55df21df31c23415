import type { GroupProvider } from '../resource.ts';
import { storageVersionMigrationResource } from './storageversionmigration/resource.ts';

/** The storagemigration.k8s.io group, which is served by default since 1.37. */
export const storageMigrationGroup: GroupProvider = {
  group: 'storagemigration.k8s.io',
  resources: [storageVersionMigrationResource],
};
