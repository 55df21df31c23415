import { FormatError, Quantity, invalidValue, isQualifiedName, textByPointer } from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';

/*
 * Names of resources that are asked for, limited and counted (pkg/apis/core/helper/helpers.go and
 * pkg/apis/core/validation, 1.36).
 */

const containerResources: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);
/** Counted one by one, so never in parts. */
const countedResources: ReadonlySet<string> = new Set([
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]);
const quotaResources: ReadonlySet<string> = new Set([
  ...containerResources,
  ...countedResources,
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
]);

/** Memory in large pages, whose size the name says. */
export const isHugePages = (name: string): boolean => name.startsWith('hugepages-');
const isQuotaHugePages = (name: string): boolean => isHugePages(name) || name.startsWith('requests.hugepages-');
/** Without a domain, or of Kubernetes' own. */
export const isNativeResource = (name: string): boolean => !name.includes('/') || name.includes('kubernetes.io/');
/** Of somebody else's domain, and short enough for a quota on requests of it. */
export const isExtendedResource = (name: string): boolean =>
  !isNativeResource(name) && !name.startsWith('requests.') && isQualifiedName(`requests.${name}`).length === 0;
/** Comes whole. */
export const isIntegerResource = (name: string): boolean => countedResources.has(name) || isExtendedResource(name);
/** More of these may be promised than there is. */
export const mayOvercommit = (name: string): boolean => isNativeResource(name) && !isHugePages(name);
/** Known to quotas by a name without a domain. */
export const isQuotaResource = (name: string): boolean => quotaResources.has(name) || isQuotaHugePages(name);

/** Go has names of resources as a type of their own. */
function invalidName(path: FieldPath, name: string, detail: string): FieldError {
  return invalidValue(path, textByPointer(name), detail);
}

/** Any resource (validateResourceName). */
export function validateResourceName(name: string, path: FieldPath): FieldError[] {
  const errors = isQualifiedName(name).map((message) => invalidName(path, name, message));
  const known = name.includes('/') || name === 'storage' || isQuotaResource(name);
  return errors.length > 0 || known
    ? errors
    : [invalidName(path, name, 'must be a standard resource type or fully qualified')];
}

/** What a container may ask for (validateContainerResourceName). */
export function validateContainerResourceName(name: string, path: FieldPath): FieldError[] {
  const errors = validateResourceName(name, path);
  if (!name.includes('/')) {
    if (!containerResources.has(name) && !isHugePages(name))
      errors.push(invalidName(path, name, 'must be a standard resource for containers'));
  } else if (!isNativeResource(name) && !isExtendedResource(name))
    errors.push(invalidName(path, name, "doesn't follow extended resource name standard"));
  return errors;
}

/** What a quota may limit (ValidateResourceQuotaResourceName). */
export function validateQuotaResourceName(name: string, path: FieldPath): FieldError[] {
  const errors = validateResourceName(name, path);
  return name.includes('/') || isQuotaResource(name)
    ? errors
    : [...errors, invalidName(path, name, 'must be a standard resource for quota')];
}

/** An amount of a resource: not negative, and whole where the resource is (ValidateResourceQuantityValue). */
export function validateResourceAmount(name: string, text: string, path: FieldPath): FieldError[] {
  const quantity = Quantity.parse(text);
  return [
    ...(quantity.sign < 0 ? [invalidValue(path, text, 'must be greater than or equal to 0')] : []),
    ...(isIntegerResource(name) && isFractional(quantity) ? [invalidValue(path, text, 'must be an integer')] : []),
  ];
}

/** An amount that volumes have (validateBasicResource). */
export function validateVolumeAmount(text: string | undefined, path: FieldPath): FieldError[] {
  const value = Quantity.parse(text ?? '0').wholeValue();
  return value < 0n ? [invalidValue(path, value, 'must be a valid resource quantity')] : [];
}

/** Has thousandths. */
export function isFractional(quantity: Quantity): boolean {
  return quantity.milliValue() % 1000n !== 0n;
}

/** Whether an amount is a whole number of the pages that the name speaks of. */
export function isWholePages(name: string, quantity: Quantity): boolean {
  try {
    const size = Quantity.parse(name.slice('hugepages-'.length)).milliValue();
    return size > 0n && quantity.sign >= 0 && quantity.milliValue() % size === 0n;
  } catch (error) {
    if (error instanceof FormatError) return false;
    throw error;
  }
}
