import { copyDecoded, emptiedFields } from '@kubechain/apimachinery';
import type { JSONValue } from '@kubechain/apimachinery';
import { InternalTypes } from '../internal-types.ts';
import type { InternalType } from '../internal-type.ts';

export type { InternalType, InternalTypes };

const builtinTypes = new InternalTypes();

/**
 * A value of the published API as kube-apiserver's internal Go type prints it as JSON, which is how error texts show
 * it: all fields, in Go's order and under Go's names, `null` for what is not set (scripts/extract-internal-types.ts
 * says how the table is made).
 * @param types of the release that answers; default: the checked-in table's
 */
export function internalForm(type: InternalType, value: unknown, types: InternalTypes = builtinTypes): JSONValue {
  return print(type, value, types);
}

function print(shape: string, value: unknown, types: InternalTypes): JSONValue {
  switch (shape.charAt(0)) {
    case '*':
      return value === undefined || value === null ? null : print(shape.slice(1), value, types);
    case '[':
      return Array.isArray(value) ? value.map((item) => print(shape.slice(1), item, types)) : null;
    case '{':
      return isObject(value)
        ? Object.fromEntries(
            Object.keys(value)
              .sort()
              .map((key) => [key, print(shape.slice(1), value[key], types)]),
          )
        : null;
    default:
  }
  switch (shape) {
    case 's':
      return typeof value === 'string' ? value : '';
    case 'i':
    case 'o':
      return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string' ? value : 0;
    case 'b':
      return value === true;
    case 'q':
      return typeof value === 'string' ? value : '0';
    case 'd':
      return typeof value === 'string' ? value : '0s';
    case 't':
    case 'y':
      return typeof value === 'string' ? value : null;
    case 'x':
      return publishedForm(value);
    default:
      return struct(shape, isObject(value) ? value : {}, types);
  }
}

/** Fields that are published under another name than the internal one, in lower case. */
const publishedNames: ReadonlyMap<string, string> = new Map([
  ['DiscoveryCHAPAuth', 'chapauthdiscovery'],
  ['SessionCHAPAuth', 'chapauthsession'],
  ['EndpointsName', 'endpoints'],
  ['CephMonitors', 'monitors'],
  ['RBDImage', 'image'],
  ['RBDPool', 'pool'],
  ['RadosUser', 'user'],
  ['DataDiskURI', 'diskuri'],
  ['LastTerminationState', 'laststate'],
  ['ReportingController', 'reportingcomponent'],
  ['DoNotUseExternalID', 'externalid'],
  ['DeprecatedServiceAccount', 'serviceaccount'],
]);

function struct(type: string, value: Readonly<Record<string, unknown>>, types: InternalTypes): JSONValue {
  const source =
    type === 'core.PodSpec' && !types.fieldsOf(type).some(({ name }) => name === 'HostPID')
      ? withHostNamespaces(value)
      : value;
  const byLowerCase = new Map(Object.keys(source).map((key) => [key.toLowerCase(), key]));
  const emptied = emptiedFields(value).map((field) => field.toLowerCase());
  const result: Record<string, JSONValue> = {};
  for (const { name, shape } of types.fieldsOf(type)) {
    const published = publishedNames.get(name) ?? name.toLowerCase();
    if (name !== '')
      result[name] =
        (emptied.includes(published) ? withoutEntries(shape) : undefined) ??
        print(shape, source[byLowerCase.get(published) ?? ''], types);
    else if (shape === 'm') Object.assign(result, metadataForm(source['metadata']));
    else Object.assign(result, struct(shape.replace(/^\*/, ''), source, types));
  }
  return result;
}

/** A list or map as printed that a body gave without entries; undefined for other shapes. */
function withoutEntries(shape: string): JSONValue | undefined {
  return shape.startsWith('[') ? [] : shape.startsWith('{') ? {} : undefined;
}

const hostFields = ['hostNetwork', 'hostPID', 'hostIPC', 'shareProcessNamespace', 'hostUsers'];

/** What the published pod spec says of the node's namespaces stands in the security context inside, up to 1.36. */
function withHostNamespaces(spec: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const moved = Object.fromEntries(
    hostFields.flatMap((field) => (spec[field] === undefined ? [] : [[field, spec[field]]])),
  );
  const securityContext = isObject(spec['securityContext']) ? copyDecoded(spec['securityContext']) : {};
  return { ...spec, securityContext: Object.assign(securityContext, moved) };
}

const metadataOrder = [
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
];
const ownerOrder = ['apiVersion', 'kind', 'name', 'uid', 'controller', 'blockOwnerDeletion'];
const managedFieldsOrder = ['manager', 'operation', 'apiVersion', 'time', 'fieldsType', 'fieldsV1', 'subresource'];
const selectorOrder = ['matchLabels', 'matchExpressions', 'key', 'operator', 'values'];

/** Metadata, which print as they are published, though owner references with all they must have. */
export function metadataForm(value: unknown): Record<string, JSONValue> {
  const result = ordered(value, metadataOrder);
  const { managedFields } = (value as { readonly managedFields?: JSONValue }) ?? {};
  // The fields are raw: they print as they were sent.
  if (Array.isArray(managedFields))
    result['managedFields'] = managedFields.map((entry) =>
      isObject(entry) ? inOrder(entry, managedFieldsOrder) : entry,
    );
  const { ownerReferences } = result;
  if (Array.isArray(ownerReferences))
    result['ownerReferences'] = ownerReferences.map((reference) =>
      ordered({ apiVersion: '', kind: '', name: '', uid: '', ...(isObject(reference) ? reference : {}) }, ownerOrder),
    );
  return result;
}

/**
 * Label selectors and maps, which print as they are published: fields in Go's order, keys of maps sorted, unset values
 * left out.
 */
export function publishedForm(value: unknown): JSONValue {
  if (Array.isArray(value)) return value.map(publishedForm);
  if (!isObject(value)) return (value as JSONValue | undefined) ?? null;
  const { matchExpressions } = value;
  // Key and operator are printed even where they are missing.
  return ordered(
    Array.isArray(matchExpressions)
      ? {
          ...value,
          matchExpressions: matchExpressions.map((requirement: unknown) => ({
            key: '',
            operator: '',
            ...(isObject(requirement) ? requirement : {}),
          })),
        }
      : value,
    selectorOrder,
  );
}

/** Known fields in their order, the keys of maps by name. */
function ordered(value: unknown, order: readonly string[]): Record<string, JSONValue> {
  return isObject(value)
    ? Object.fromEntries(membersInOrder(value, order).map(([key, member]) => [key, publishedForm(member)]))
    : {};
}

/** The members that are set, known ones in their order, others after them by name. */
function inOrder(value: Readonly<Record<string, unknown>>, order: readonly string[]): Record<string, JSONValue> {
  return Object.fromEntries(membersInOrder(value, order));
}

function membersInOrder(
  value: Readonly<Record<string, unknown>>,
  order: readonly string[],
): (readonly [key: string, member: JSONValue])[] {
  const known = order.filter((key) => Object.hasOwn(value, key));
  // A map may have tens of thousands.
  const others = Object.keys(value).filter((key) => !known.includes(key));
  const members: (readonly [string, JSONValue])[] = [];
  for (const key of [...known, ...others.toSorted()]) {
    const member = value[key] as JSONValue | undefined;
    if (member !== undefined && member !== null) members.push([key, member]);
  }
  return members;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
