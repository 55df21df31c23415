import { storedResource } from '../../resource.ts';
import { specStrategy, statusStrategy } from '../../spec-strategy.ts';
import { nameOf } from '../../table/printer.ts';
import { validated } from '../../validation/validate.ts';
import {
  validateFormerMigration,
  validateFormerMigrationStatus,
  validateFormerMigrationUpdate,
} from './former-validation.ts';
import type { FormerMigration } from './former-validation.ts';
import type { StorageVersionMigration } from './storage-version-migration.ts';
import {
  validateStorageVersionMigration,
  validateStorageVersionMigrationStatus,
  validateStorageVersionMigrationUpdate,
} from './validation.ts';

const states: ReadonlySet<string> = new Set(['Running', 'Failed', 'Succeeded']);

/** Serves storageversionmigrations with status: those of 1.34 have rules of their own. */
export const storageVersionMigrationResource = storedResource({
  group: 'storagemigration.k8s.io',
  plural: 'storageversionmigrations',
  strategy: ({ release }) =>
    specStrategy({
      ...(release.since('1.35')
        ? validated({ create: validateStorageVersionMigration, update: validateStorageVersionMigrationUpdate })
        : validated({ create: validateFormerMigration, update: validateFormerMigrationUpdate })),
      status: true,
      allowUnconditionalUpdate: false,
    }),
  status: ({ release }) =>
    statusStrategy({
      resetMetadata: true,
      hooks: {
        ...(release.since('1.35')
          ? validated<StorageVersionMigration>({
              update: (migration, old) => validateStorageVersionMigrationStatus(migration, old, release),
            })
          : validated({ update: validateFormerMigrationStatus })),
        allowUnconditionalUpdate: false,
      },
    }),
  row: (migration: StorageVersionMigration, release) => {
    const { group = '', resource = '', version = '' } = (migration as FormerMigration).spec?.resource ?? {};
    if (!release.since('1.35')) return [nameOf(migration), `${resource}.${version}.${group}`];
    const conditions = migration.status?.conditions ?? [];
    const state = conditions.findLast(({ status, type = '' }) => status === 'True' && states.has(type))?.type;
    return [nameOf(migration), group === '' ? resource : `${resource}.${group}`, state ?? 'Unknown'];
  },
});
