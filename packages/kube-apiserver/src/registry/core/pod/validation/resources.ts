import { Quantity, invalidValue, isQualifiedName, required } from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import type { ResourceRequirements } from '@kubechain/apimachinery/types/core/v1';

const containerResources = new Set(['cpu', 'memory', 'ephemeral-storage']);
/** Names without a domain that mean something in quotas, though not in containers. */
const otherResources = new Set([
  'requests.cpu', 'requests.memory', 'requests.ephemeral-storage', 'limits.cpu', 'limits.memory', 'limits.ephemeral-storage', 'pods', 'resourcequotas', 'services', 'replicationcontrollers',
  'secrets', 'configmaps', 'persistentvolumeclaims', 'storage', 'requests.storage', 'services.nodeports', 'services.loadbalancers',
]);

const isHugePages = (name: string): boolean => name.startsWith('hugepages-');
const isNative = (name: string): boolean => !name.includes('/') || name.includes('kubernetes.io/');
/** More of these may be promised than there is. */
const mayOvercommit = (name: string): boolean => isNative(name) && !isHugePages(name);

/** Requests and limits of a container (validateResourceRequirements of pkg/apis/core/validation, 1.36). */
export function validateResources(resources: ResourceRequirements | undefined, path: FieldPath): FieldError[] {
  if (resources === undefined) return [];
  const { limits = {}, requests = {} } = resources;
  const errors: FieldError[] = [];
  for (const [name, text] of Object.entries(limits)) errors.push(...validateAmount(name, text, path.child('limits').key(name)));
  for (const [name, text] of Object.entries(requests)) {
    errors.push(...validateAmount(name, text, path.child('requests').key(name)));
    const limit = limits[name];
    if (limit === undefined) {
      if (!mayOvercommit(name)) errors.push(required(path.child('limits'), 'Limit must be set for non overcommitable resources'));
      continue;
    }
    const order = Quantity.parse(text).compare(Quantity.parse(limit));
    if (order !== 0 && !mayOvercommit(name)) errors.push(invalidValue(path.child('requests'), text, `must be equal to ${name} limit of ${limit}`));
    else if (order > 0) errors.push(invalidValue(path.child('requests'), text, `must be less than or equal to ${name} limit of ${limit}`));
  }
  return errors;
}

function validateAmount(name: string, text: string, path: FieldPath): FieldError[] {
  const errors = validateName(name, path);
  const quantity = Quantity.parse(text);
  if (quantity.sign < 0) errors.push(invalidValue(path, text, 'must be greater than or equal to 0'));
  if (!isNative(name) && quantity.milliValue() % 1000n !== 0n) errors.push(invalidValue(path, text, 'must be an integer'));
  return errors;
}

function validateName(name: string, path: FieldPath): FieldError[] {
  const errors = isQualifiedName(name).map((message) => invalidValue(path, name, message));
  if (!name.includes('/')) {
    const inContainers = containerResources.has(name) || isHugePages(name);
    if (errors.length === 0 && !inContainers && !otherResources.has(name)) errors.push(invalidValue(path, name, 'must be a standard resource type or fully qualified'));
    if (!inContainers) errors.push(invalidValue(path, name, 'must be a standard resource for containers'));
  } else if (!isNative(name) && (name.startsWith('requests.') || isQualifiedName(`requests.${name}`).length > 0)) errors.push(invalidValue(path, name, "doesn't follow extended resource name standard"));
  return errors;
}
