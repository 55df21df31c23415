import {
  FieldPath,
  invalidValue,
  isDNS1035Label,
  isDNS1123Subdomain,
  required,
  validateConditions,
} from '@kubechain/apimachinery';
import type { Condition, FieldError, ReleaseAge } from '@kubechain/apimachinery';
import { semanticEqual } from '../../semantic-equal.ts';
import type { StorageVersionMigration } from './storage-version-migration.ts';

const specPath = FieldPath.of('spec');
const resourcePath = specPath.child('resource');
const statusPath = FieldPath.of('status');
const conditionsPath = statusPath.child('conditions');

/** Rules of what is to be migrated (pkg/apis/storagemigration/validation, 1.37). */
export function validateStorageVersionMigration({ spec = {} }: StorageVersionMigration): FieldError[] {
  const { group = '', resource = '' } = spec.resource ?? {};
  const resourceProblems = isDNS1035Label(resource);
  const groupProblems = isDNS1123Subdomain(group);
  return [
    ...(resource === ''
      ? [required(resourcePath.child('resource'), 'resource is required to be set')]
      : resourceProblems.length > 0
        ? [invalidValue(resourcePath.child('resource'), resource, resourceProblems.join(','))]
        : []),
    ...(group !== '' && groupProblems.length > 0
      ? [invalidValue(resourcePath.child('group'), group, groupProblems.join(','))]
      : []),
  ];
}

/** What is to be migrated never changes. */
export function validateStorageVersionMigrationUpdate(
  migration: StorageVersionMigration,
  old: StorageVersionMigration,
): FieldError[] {
  const { group = '', resource = '' } = migration.spec?.resource ?? {};
  return [
    ...validateStorageVersionMigration(migration),
    ...(semanticEqual(migration.spec, old.spec)
      ? []
      : [invalidValue(specPath, { Resource: { group, resource } }, 'field is immutable')]),
  ];
}

/** A migration has one end, and begins at one version. */
export function validateStorageVersionMigrationStatus(
  { status = {} }: StorageVersionMigration,
  { status: before = {} }: StorageVersionMigration,
  release: ReleaseAge,
): FieldError[] {
  const { conditions = [], resourceVersion = '' } = status;
  const versionPath = statusPath.child('resourceVersion');
  const isTrue = (type: string, { conditions: all = [] }: NonNullable<StorageVersionMigration['status']>): boolean =>
    all.some((condition) => condition.type === type && condition.status === 'True');
  const conflict = (message: string): FieldError => invalidValue(conditionsPath, conditions.map(inGoOrder), message);
  const versionProblem = resourceVersion === '' ? undefined : resourceVersionProblem(resourceVersion);
  return [
    ...(versionProblem === undefined ? [] : [invalidValue(versionPath, resourceVersion, versionProblem)]),
    ...validateConditions(conditions, conditionsPath, release),
    ...((before.resourceVersion ?? '') !== '' && before.resourceVersion !== resourceVersion
      ? [invalidValue(versionPath, resourceVersion, 'field is immutable')]
      : []),
    ...(isTrue('Succeeded', status) && isTrue('Failed', status)
      ? [conflict('Both success and failed conditions cannot be true at the same time')]
      : []),
    ...(isTrue('Succeeded', before) && !isTrue('Succeeded', status)
      ? [conflict('Success condition cannot be set to false once it is true')]
      : []),
    ...(isTrue('Failed', before) && !isTrue('Failed', status)
      ? [conflict('Failed condition cannot be set to false once it is true')]
      : []),
  ];
}

/** Source: apimachinery/pkg/util/resourceversion/resourceversion.go, 1.37. */
function resourceVersionProblem(version: string): string | undefined {
  if (/^[1-9][0-9]*$/.test(version)) return undefined;
  return `resource version is not well formed: ${version}`;
}

/** As Go writes a condition. */
function inGoOrder({ lastTransitionTime, message, observedGeneration, reason, status, type }: Condition): object {
  return {
    type,
    status,
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
    lastTransitionTime,
    reason,
    message,
  };
}
