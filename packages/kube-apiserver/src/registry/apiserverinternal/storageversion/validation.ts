import {
  duplicate,
  FieldPath,
  invalidValue,
  isDNS1035Label,
  isDNS1123Subdomain,
  isQualifiedName,
  nameIsDNSSubdomain,
  regexMessage,
  required,
} from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { ServerStorageVersion, StorageVersion, StorageVersionCondition } from '@kubechain/component-helpers';

const path = FieldPath.of('status');
const common = path.child('commonEncodingVersion');

/** `<group>.<resource>` */
export function validateStorageVersionName(name: string): string[] {
  const dot = name.lastIndexOf('.');
  if (dot < 0) return ['name must be in the form of <group>.<resource>'];
  return [
    ...isDNS1123Subdomain(name.slice(0, dot)).map((message) => `the group segment ${message}`),
    ...isDNS1035Label(name.slice(dot + 1)).map((message) => `the resource segment ${message}`),
  ];
}

/** Rules of the status of storage versions (pkg/apis/apiserverinternal/validation, 1.36). */
export function validateStorageVersionStatus({ status = {} }: StorageVersion): FieldError[] {
  const { commonEncodingVersion, conditions = [], storageVersions = [] } = status;
  const ids = new Set<string>();
  return [
    ...storageVersions.flatMap((version, index) => {
      const at = path.child('storageVersions').index(index);
      const { apiServerID = '' } = version;
      const isKnown = ids.has(apiServerID);
      ids.add(apiServerID);
      return [
        ...(isKnown ? [duplicate(at.child('apiServerID'), apiServerID)] : []),
        ...validateServerStorageVersion(version, at),
      ];
    }),
    ...validateCommonVersion(storageVersions, commonEncodingVersion),
    ...validateStorageVersionConditions(conditions),
  ];
}

function validateServerStorageVersion(
  { apiServerID = '', decodableVersions = [], encodingVersion = '', servedVersions = [] }: ServerStorageVersion,
  at: FieldPath,
): FieldError[] {
  const decodable = at.child('decodableVersions');
  return [
    ...nameIsDNSSubdomain(apiServerID, false).map((message) =>
      invalidValue(at.child('apiServerID'), apiServerID, message),
    ),
    ...validateAPIVersion(encodingVersion, at.child('encodingVersion')),
    ...decodableVersions.flatMap((version, index) => validateAPIVersion(version, decodable.index(index))),
    ...(decodableVersions.includes(encodingVersion)
      ? []
      : [
          invalidValue(
            decodable,
            decodableVersions.length === 0 ? null : decodableVersions,
            `decodableVersions must include encodingVersion ${encodingVersion}`,
          ),
        ]),
    ...servedVersions.flatMap((version, index) => {
      const served = at.child('servedVersions').index(index);
      const message =
        `individual served version : ${version} must be included in decodableVersions : ` +
        `[${decodableVersions.join(' ')}]`;
      return [
        ...validateAPIVersion(version, served),
        ...(decodableVersions.includes(version) ? [] : [invalidValue(served, version, message)]),
      ];
    }),
  ];
}

function validateCommonVersion(
  versions: readonly ServerStorageVersion[],
  told: string | undefined,
): readonly FieldError[] {
  const encodings = new Set(versions.map(({ encodingVersion = '' }) => encodingVersion));
  const [agreed] = encodings.size === 1 ? encodings : [];
  if (agreed === told) return [];
  if (agreed === undefined)
    return [
      invalidValue(
        common,
        told,
        'should be nil if servers do not agree on the same encoding version, or if there is no server reporting the ' +
          'supported versions yet',
      ),
    ];
  return [
    told === undefined
      ? invalidValue(common, null, `the common encoding version is ${agreed}`)
      : invalidValue(common, told, `the actual common encoding version is ${agreed}`),
  ];
}

/** The reference leaves `conditions` out of their paths. */
function validateStorageVersionConditions(conditions: readonly StorageVersionCondition[]): FieldError[] {
  const seen = new Map<string, number>();
  return conditions.flatMap(({ message = '', reason = '', status = '', type = '' }, index) => {
    const at = path.index(index);
    const first = seen.get(type);
    seen.set(type, index);
    const repeated = `the type of the condition is not unique, it also appears in conditions[${first}]`;
    return [
      ...(first === undefined ? [] : [invalidValue(at.child('type'), type, repeated)]),
      ...isQualifiedName(type).map((text) => invalidValue(at.child('type'), type, text)),
      ...isQualifiedName(status).map((text) => invalidValue(at.child('status'), status, text)),
      ...(reason === '' ? [required(at.child('reason'))] : []),
      ...(message === '' ? [required(at.child('message'))] : []),
    ];
  });
}

function validateAPIVersion(version: string, at: FieldPath): readonly FieldError[] {
  const errors = apiVersionErrors(version);
  return errors.length === 0 ? [] : [invalidValue(at, version, errors.join(','))];
}

/** A version, with or without a group in front. */
function apiVersionErrors(text: string): string[] {
  const parts = text.split('/');
  if (parts.length > 2) {
    const label =
      "a DNS-1035 label, which must consist of lower case alphanumeric characters or '-', start with an alphabetic " +
      'character, and end with an alphanumeric character';
    const form = regexMessage(label, '[a-z]([-a-z0-9]*[a-z0-9])?', 'my-name', 'abc-123');
    return [`an apiVersion is ${form} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyVersion')`];
  }
  const version = parts.at(-1) ?? '';
  const group = parts.length === 2 ? (parts[0] ?? '') : undefined;
  return [
    ...(group === undefined ? [] : part('group', group, isDNS1123Subdomain)),
    ...part('version', version, isDNS1035Label),
  ];
}

function part(name: string, value: string, check: (text: string) => readonly string[]): readonly string[] {
  return (value === '' ? ['must be non-empty'] : check(value)).map((message) => `${name} part: ${message}`);
}
