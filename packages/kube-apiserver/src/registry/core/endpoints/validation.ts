import {
  FieldPath,
  isDNS1123Label,
  isDNS1123Subdomain,
  isQualifiedName,
  required,
  validateLegacyIP,
} from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { EndpointAddress, EndpointPort, Endpoints, EndpointSubset } from '@kubechain/apimachinery/types/core/v1';
import { semanticEqual } from '../../semantic-equal.ts';
import { fields, filled, format, inRange, items, needed, oneOf, present } from '../../validation/rules.ts';
import type { Rule } from '../../validation/rules.ts';
import { validateEndpointIP } from '../endpoint-ip.ts';

const subsetsPath = FieldPath.of('subsets');
const label = format(isDNS1123Label);

const address: Rule<EndpointAddress> = (value, path) => [
  ...validateLegacyIP(path.child('ip'), value.ip ?? ''),
  ...fields<EndpointAddress>({ hostname: filled(label), nodeName: present(format(isDNS1123Subdomain)) })(value, path),
  ...validateEndpointIP(value.ip ?? '', path.child('ip')),
];
const port = fields<EndpointPort>({
  port: (value = 0, path) => inRange(1, 65_535, 'must be between 1 and 65535, inclusive')(value, path),
  protocol: oneOf(['SCTP', 'TCP', 'UDP']),
  appProtocol: present(format(isQualifiedName)),
});
const named = needed(label);
const maybeNamed = filled(label);

function subset({ addresses = [], notReadyAddresses = [], ports = [] }: EndpointSubset, path: FieldPath): FieldError[] {
  const name = ports.length > 1 ? named : maybeNamed;
  return [
    ...(addresses.length + notReadyAddresses.length === 0
      ? [required(path, 'must specify `addresses` or `notReadyAddresses`')]
      : []),
    ...items(address)(addresses, path.child('addresses')),
    ...items(address)(notReadyAddresses, path.child('notReadyAddresses')),
    ...items<EndpointPort>((value, at) => [...name(value.name, at.child('name')), ...port(value, at)])(
      ports,
      path.child('ports'),
    ),
  ];
}

/**
 * Rules of endpoints; subsets that were there may stay as they are (ValidateEndpoints of pkg/apis/core/validation,
 * 1.36).
 */
export function validateEndpoints({ subsets }: Endpoints, old?: Endpoints): FieldError[] {
  return old !== undefined && semanticEqual(subsets, old.subsets) ? [] : items(subset)(subsets, subsetsPath);
}
