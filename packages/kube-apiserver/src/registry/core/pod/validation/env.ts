import {
  append,
  Quantity,
  invalidValue,
  isConfigMapKey,
  isDNS1123Subdomain,
  isQualifiedName,
  isRelaxedEnvVarName,
  notSupported,
  required,
} from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import type {
  EnvFromSource,
  EnvVar,
  EnvVarSource,
  ObjectFieldSelector,
  ResourceFieldSelector,
} from '@kubechain/apimachinery/types/core/v1';
import { each } from '../../../validation/rules.ts';
import { fileKeyRules } from './file-keys.ts';

/** Fields of the pod that an environment variable may take its value from. */
const podFields = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];
/** Fields that the API knows by name at all. */
const knownFields = new Set([
  ...podFields,
  'metadata.annotations',
  'metadata.labels',
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
  'spec.host',
]);
const resourceFields = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];

/** Environment variables of a container (ValidateEnv of pkg/apis/core/validation, 1.36). */
export function validateEnv(variables: readonly EnvVar[] | undefined, path: FieldPath): FieldError[] {
  return each(variables, (variable, i) => {
    const at = path.index(i);
    const errors = !variable.name
      ? [required(at.child('name'))]
      : isRelaxedEnvVarName(variable.name).map((message) => invalidValue(at.child('name'), variable.name, message));
    if (variable.valueFrom !== undefined)
      append(errors, validateSource(variable.valueFrom, variable.value ?? '', at.child('valueFrom')));
    return errors;
  });
}

function validateSource(source: EnvVarSource, value: string, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  let sources = 0;
  if (source.fieldRef !== undefined) {
    sources++;
    append(errors, validateFieldRef(source.fieldRef, podFields, path.child('fieldRef')));
  }
  if (source.resourceFieldRef !== undefined) {
    sources++;
    append(errors, validateResourceFieldRef(source.resourceFieldRef, path.child('resourceFieldRef')));
  }
  for (const kind of ['configMapKeyRef', 'secretKeyRef'] as const) {
    const reference = source[kind];
    if (reference === undefined) continue;
    sources++;
    append(errors, validateName(reference.name ?? '', path.child(kind, 'name')));
    if (!reference.key) errors.push(required(path.child(kind, 'key')));
    else
      append(
        errors,
        isConfigMapKey(reference.key).map((message) => invalidValue(path.child(kind, 'key'), reference.key, message)),
      );
  }
  if (source.fileKeyRef !== undefined) {
    sources++;
    append(errors, fileKeyRules(source.fileKeyRef, path.child('fileKeyRef')));
  }
  if (sources === 0)
    errors.push(
      invalidValue(
        path,
        '',
        'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
      ),
    );
  else if (value !== '') errors.push(invalidValue(path, '', 'may not be specified when `value` is not empty'));
  else if (sources > 1) errors.push(invalidValue(path, '', 'may not have more than one field specified at a time'));
  return errors;
}

function validateName(name: string, path: FieldPath): FieldError[] {
  return isDNS1123Subdomain(name).map((message) => invalidValue(path, name, message));
}

/** A reference to a field of the pod; `supported` are those without subscripts that may stand here. */
export function validateFieldRef(
  reference: ObjectFieldSelector,
  supported: readonly string[],
  path: FieldPath,
): FieldError[] {
  if (!reference.apiVersion) return [required(path.child('apiVersion'))];
  const { apiVersion } = reference;
  const fieldPath = reference.fieldPath || '';
  if (fieldPath === '') return [required(path.child('fieldPath'))];
  const conversion = (reason: string): FieldError[] => [
    invalidValue(path.child('fieldPath'), fieldPath, `error converting fieldPath: ${reason}`),
  ];
  if (apiVersion !== 'v1') return conversion(`unsupported pod version: ${apiVersion}`);
  const opening = fieldPath.indexOf("['");
  if (opening >= 0 && fieldPath.endsWith("']") && fieldPath.length >= opening + 4) {
    const field = fieldPath.slice(0, opening);
    const key = fieldPath.slice(opening + 2, -2);
    if (field !== 'metadata.annotations' && field !== 'metadata.labels')
      return conversion(`field label does not support subscript: ${fieldPath}`);
    const name = field === 'metadata.annotations' ? key.toLowerCase() : key;
    return isQualifiedName(name).map((message) => invalidValue(path, name, message));
  }
  if (!knownFields.has(fieldPath)) return conversion(`field label not supported: ${fieldPath}`);
  const internal = fieldPath === 'spec.host' ? 'spec.nodeName' : fieldPath;
  return supported.includes(internal) ? [] : [notSupported(path.child('fieldPath'), internal, supported)];
}

/** A reference to what a container asks for or is limited to. */
export function validateResourceFieldRef(
  { divisor = '0', resource = '' }: Partial<ResourceFieldSelector>,
  path: FieldPath,
): FieldError[] {
  if (resource === '') return [required(path.child('resource'))];
  const known = resourceFields.includes(resource) || isHugePagesField(resource);
  return [
    ...(known ? [] : [notSupported(path.child('resource'), resource, resourceFields)]),
    ...validateDivisor(resource, divisor, path.child('divisor')),
  ];
}

const byteDivisors = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];

function isHugePagesField(resource: string): boolean {
  return resource.startsWith('requests.hugepages-') || resource.startsWith('limits.hugepages-');
}

/** The reference prints the resource. */
function validateDivisor(resource: string, divisor: string, path: FieldPath): FieldError[] {
  if (Quantity.parse(divisor).sign === 0) return [];
  const kind = resource.replace(/^(limits|requests)\./, '');
  if (kind === 'cpu')
    return divisor === '1m' || divisor === '1'
      ? []
      : [invalidValue(path, resource, "only divisor's values 1m and 1 are supported with the cpu resource")];
  const what =
    kind === 'memory'
      ? 'memory resource'
      : kind === 'ephemeral-storage'
        ? 'local ephemeral storage resource'
        : isHugePagesField(resource)
          ? 'hugepages resource'
          : undefined;
  return what === undefined || byteDivisors.includes(divisor)
    ? []
    : [invalidValue(path, resource, `only divisor's values ${byteDivisors.join(', ')} are supported with the ${what}`)];
}

/**
 * Whole maps as environment (ValidateEnvFrom). Errors about the number of sources name the list, as the reference's do.
 */
export function validateEnvFrom(sources: readonly EnvFromSource[] | undefined, path: FieldPath): FieldError[] {
  return each(sources, (source, i) => {
    const at = path.index(i);
    const prefix = source.prefix ?? '';
    const errors =
      prefix === ''
        ? []
        : isRelaxedEnvVarName(prefix).map((message) => invalidValue(at.child('prefix'), prefix, message));
    let count = 0;
    for (const kind of ['configMapRef', 'secretRef'] as const) {
      const reference = source[kind];
      if (reference === undefined) continue;
      count++;
      const name = reference.name ?? '';
      if (name === '') errors.push(required(at.child(kind, 'name')));
      else append(errors, validateName(name, at.child(kind, 'name')));
    }
    if (count === 0) errors.push(invalidValue(path, '', 'must specify one of: `configMapRef` or `secretRef`'));
    else if (count > 1) errors.push(invalidValue(path, '', 'may not have more than one field specified at a time'));
    return errors;
  });
}
