import { storedResource } from '../../resource.ts';
import { specStrategy, statusStrategy } from '../../spec-strategy.ts';
import { threeOf, unset } from '../../table/cells.ts';
import { ageOf, nameOf } from '../../table/printer.ts';
import { validated } from '../../validation/validate.ts';
import type { StorageVersion } from '@kubechain/component-helpers';
import { validateStorageVersionName, validateStorageVersionStatus } from './validation.ts';

/** The status endpoint. */
export const storageVersionStatusStrategy = statusStrategy({
  resetMetadata: true,
  hooks: { ...validated({ update: validateStorageVersionStatus }), allowUnconditionalUpdate: false },
});

/** Serves storageversions with status. */
export const storageVersionResource = storedResource({
  group: 'internal.apiserver.k8s.io',
  plural: 'storageversions',
  strategy: specStrategy({ status: true, allowUnconditionalUpdate: false, validateName: validateStorageVersionName }),
  status: storageVersionStatusStrategy,
  row: (version: StorageVersion) => [
    nameOf(version),
    version.status?.commonEncodingVersion ?? unset,
    threeOf((version.status?.storageVersions ?? []).map((of) => `${of.apiServerID}=${of.encodingVersion}`)),
    ageOf(version),
  ],
});
