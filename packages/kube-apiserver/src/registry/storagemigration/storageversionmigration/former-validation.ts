import {
  byteLength,
  duplicate,
  FieldPath,
  invalidValue,
  isConditionReason,
  isQualifiedName,
  notSupported,
  required,
  tooLong,
} from '@kubechain/apimachinery';
import type { FieldError, KubeObject } from '@kubechain/apimachinery';

/** A migration of storagemigration.k8s.io/v1alpha1, which 1.34 has and later releases have not. */
export interface FormerMigration extends KubeObject {
  readonly spec?: {
    readonly resource?: { readonly group?: string; readonly version?: string; readonly resource?: string };
  };
  readonly status?: { readonly conditions?: readonly FormerCondition[]; readonly resourceVersion?: string };
}

interface FormerCondition {
  readonly type?: string;
  readonly status?: string;
  readonly lastUpdateTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
}

const resourcePath = FieldPath.of('spec').child('resource');
const statusPath = FieldPath.of('status');
const conditionsPath = statusPath.child('conditions');
const statuses = ['False', 'True', 'Unknown'];
const maxReason = 1_024;
const maxMessage = 32 * 1_024;

/** Source: ValidateStorageVersionMigration of pkg/apis/storagemigration/validation, 1.34. */
export function validateFormerMigration({ spec = {} }: FormerMigration): FieldError[] {
  const { resource = '', version = '' } = spec.resource ?? {};
  return [
    ...(resource === '' ? [required(resourcePath.child('resource'), 'resource is required')] : []),
    ...(version === '' ? [required(resourcePath.child('version'), 'version is required')] : []),
  ];
}

/** What is to be migrated never changes. */
export function validateFormerMigrationUpdate(migration: FormerMigration, old: FormerMigration): FieldError[] {
  const now = migration.spec?.resource ?? {};
  const before = old.spec?.resource ?? {};
  const fields = ['group', 'version', 'resource'] as const;
  return [
    ...validateFormerMigration(migration),
    ...fields.flatMap((field) =>
      (now[field] ?? '') === (before[field] ?? '')
        ? []
        : [invalidValue(FieldPath.of(field), now[field] ?? '', 'field is immutable')],
    ),
  ];
}

/** A migration has one end, and begins at one version. */
export function validateFormerMigrationStatus(
  { status = {} }: FormerMigration,
  { status: before = {} }: FormerMigration,
): FieldError[] {
  const { conditions = [], resourceVersion = '' } = status;
  const versionPath = statusPath.child('resourceVersion');
  const isTrue = (type: string, { conditions: all = [] }: NonNullable<FormerMigration['status']>): boolean =>
    all.find((condition) => condition.type === type)?.status === 'True';
  const conflict = (wrong: boolean, message: string): FieldError[] =>
    wrong ? [invalidValue(conditionsPath, conditions.map(internalForm), message)] : [];
  const succeeded = isTrue('Succeeded', status);
  const failed = isTrue('Failed', status);
  const running = isTrue('Running', status);
  return [
    ...versionMistakes(resourceVersion, versionPath),
    ...conditionMistakes(conditions),
    ...((before.resourceVersion ?? '') !== '' && before.resourceVersion !== resourceVersion
      ? [invalidValue(versionPath, resourceVersion, 'field is immutable')]
      : []),
    ...conflict(succeeded && failed, 'Both success and failed conditions cannot be true at the same time'),
    ...conflict(succeeded && running, 'Running condition cannot be true when success condition is true'),
    ...conflict(failed && running, 'Running condition cannot be true when failed condition is true'),
    ...conflict(isTrue('Succeeded', before) && !succeeded, 'Success condition cannot be set to false once it is true'),
    ...conflict(isTrue('Failed', before) && !failed, 'Failed condition cannot be set to false once it is true'),
  ];
}

function versionMistakes(version: string, path: FieldPath): FieldError[] {
  if (version === '') return [];
  if (!/^[+-]?[0-9]+$/.test(version))
    return [
      invalidValue(
        path,
        version,
        `failed to parse resource version ${JSON.stringify(version)}: strconv.ParseInt: parsing ` +
          `${JSON.stringify(version)}: invalid syntax`,
      ),
    ];
  const number = Number(version);
  return number < 0 ? [invalidValue(path, number, 'must be greater than or equal to 0')] : [];
}

function conditionMistakes(conditions: readonly FormerCondition[]): FieldError[] {
  const types = new Set<string>();
  return conditions.flatMap(({ lastUpdateTime, message = '', reason = '', status = '', type = '' }, i) => {
    const path = conditionsPath.index(i);
    const errors = types.has(type) ? [duplicate(path.child('type'), type)] : [];
    types.add(type);
    return [
      ...errors,
      ...isQualifiedName(type).map((text) => invalidValue(path.child('type'), type, text)),
      ...(statuses.includes(status) ? [] : [notSupported(path.child('status'), status, statuses)]),
      // The field is called otherwise; the reference says it so.
      ...((lastUpdateTime ?? null) === null ? [required(path.child('lastTransitionTime'))] : []),
      ...(reason === ''
        ? [required(path.child('reason'))]
        : isConditionReason(reason).map((text) => invalidValue(path.child('reason'), reason, text))),
      ...(byteLength(reason) > maxReason ? [tooLong(path.child('reason'), maxReason)] : []),
      ...(byteLength(message) > maxMessage ? [tooLong(path.child('message'), maxMessage)] : []),
    ];
  });
}

/** As the reference prints it: its own type, by Go's names. */
function internalForm({ lastUpdateTime, message, reason, status, type }: FormerCondition): object {
  return {
    Type: type ?? '',
    Status: status ?? '',
    LastUpdateTime: lastUpdateTime ?? null,
    Reason: reason ?? '',
    Message: message ?? '',
  };
}
