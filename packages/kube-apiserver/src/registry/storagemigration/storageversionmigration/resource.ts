import { storedResource } from '../../resource.ts';
import { specStrategy, statusStrategy } from '../../spec-strategy.ts';
import { nameOf } from '../../table/printer.ts';
import { validated } from '../../validation/validate.ts';
import type { StorageVersionMigration } from './storage-version-migration.ts';
import {
  validateStorageVersionMigration,
  validateStorageVersionMigrationStatus,
  validateStorageVersionMigrationUpdate,
} from './validation.ts';

const states: ReadonlySet<string> = new Set(['Running', 'Failed', 'Succeeded']);

/** Serves storageversionmigrations with status. */
export const storageVersionMigrationResource = storedResource({
  group: 'storagemigration.k8s.io',
  plural: 'storageversionmigrations',
  strategy: specStrategy({
    ...validated({ create: validateStorageVersionMigration, update: validateStorageVersionMigrationUpdate }),
    status: true,
    allowUnconditionalUpdate: false,
  }),
  status: ({ release }) =>
    statusStrategy({
      resetMetadata: true,
      hooks: {
        ...validated<StorageVersionMigration>({
          update: (migration, old) => validateStorageVersionMigrationStatus(migration, old, release),
        }),
        allowUnconditionalUpdate: false,
      },
    }),
  row: (migration: StorageVersionMigration) => {
    const { group = '', resource = '' } = migration.spec?.resource ?? {};
    const conditions = migration.status?.conditions ?? [];
    const state = conditions.findLast(({ status, type = '' }) => status === 'True' && states.has(type))?.type;
    return [nameOf(migration), group === '' ? resource : `${resource}.${group}`, state ?? 'Unknown'];
  },
});
