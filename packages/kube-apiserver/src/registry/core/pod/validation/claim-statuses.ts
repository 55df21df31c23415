import {
  append,
  duplicate,
  FieldPath,
  invalidValue,
  isDNS1123Label,
  isDNS1123Subdomain,
  Quantity,
  required,
} from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type {
  ContainerExtendedResourceRequest,
  NodeAllocatableResourceClaimStatus,
  Pod,
} from '@kubechain/apimachinery/types/core/v1';
import { format, needed } from '../../../validation/rules.ts';
import { isNativeResource } from '../../resource-name.ts';

const extendedPath = FieldPath.of('status', 'extendedResourceClaimStatus');
const nodePath = FieldPath.of('status', 'nodeAllocatableResourceClaimStatuses');

/**
 * The claim that was made for a pod's extended resources: which request is for which container
 * (validatePodExtendedResourceClaimStatus of pkg/apis/core/validation, 1.36).
 */
export function validateExtendedClaim({ spec, status }: Pod): FieldError[] {
  const claim = status?.extendedResourceClaimStatus;
  if (claim === undefined) return [];
  const containers = new Map(
    [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].map((container) => [container.name, container]),
  );
  const mappingsPath = extendedPath.child('requestMappings');
  const mappings: readonly Partial<ContainerExtendedResourceRequest>[] = claim.requestMappings ?? [];
  const errors = mappings.length === 0 ? [required(mappingsPath, 'at least one request mapping is required')] : [];
  const seen = new Set<string>();
  mappings.forEach(({ containerName = '', requestName = '', resourceName = '' }, i) => {
    const at = mappingsPath.index(i);
    const container = containers.get(containerName);
    if (container === undefined)
      errors.push(
        invalidValue(
          at.child('containerName'),
          containerName,
          'must match the name of an entry in spec.initContainers.name or spec.containers.name',
        ),
      );
    else if (container.resources?.requests?.[resourceName] === undefined)
      errors.push(
        invalidValue(
          at.child('resourceName'),
          resourceName,
          'must match the extended resource name of an entry in spec.initContainers.resources.requests or ' +
            'spec.containers.resources.requests',
        ),
      );
    append(errors, format(isDNS1123Label)(requestName, extendedPath.child('requestName')));
    const key = JSON.stringify([containerName, resourceName, requestName]);
    if (seen.has(key))
      errors.push(
        duplicate(at.child('containerName'), containerName),
        duplicate(at.child('resourceName'), resourceName),
        duplicate(at.child('requestName'), requestName),
      );
    seen.add(key);
  });
  return [
    ...errors,
    ...needed(format(isDNS1123Subdomain))(claim.resourceClaimName, extendedPath.child('resourceClaimName')),
  ];
}

/** What claims take of the node's own resources (validateNodeAllocatableResourceClaimStatus). */
export function validateNodeClaims({ spec, status }: Pod): FieldError[] {
  const known = new Set(
    [...(spec?.resourceClaims ?? []), ...(status?.resourceClaimStatuses ?? [])].flatMap(({ resourceClaimName }) =>
      resourceClaimName === undefined ? [] : [resourceClaimName],
    ),
  );
  return (status?.nodeAllocatableResourceClaimStatuses ?? []).flatMap(
    ({ containers = [], resourceClaimName = '', resources = {} }: Partial<NodeAllocatableResourceClaimStatus>, i) => {
      const at = nodePath.index(i);
      const errors = resourceClaimName === '' ? [required(at.child('resourceClaimName'), 'must not be empty')] : [];
      if (!known.has(resourceClaimName))
        errors.push(
          invalidValue(at.child('resourceClaimName'), resourceClaimName, 'no mapping found in pod reference'),
        );
      if (containers.length === 0) errors.push(required(at.child('containers'), 'must not be empty'));
      if (Object.keys(resources).length === 0) errors.push(required(at.child('resources'), 'must not be empty'));
      for (const [name, amount] of Object.entries(resources)) {
        const path = at.child('resources').key(name);
        if (!isNativeResource(name)) errors.push(invalidValue(path, name, 'must be a node allocatable resource name'));
        if (Quantity.parse(amount).sign < 0) errors.push(invalidValue(path, amount, 'must be non-negative'));
      }
      return errors;
    },
  );
}
