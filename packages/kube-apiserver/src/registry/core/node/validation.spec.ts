import type { FieldError } from '@kubechain/apimachinery';
import type { Endpoints, Node, NodeSpec } from '@kubechain/apimachinery/types/core/v1';
import { expect } from 'chai';
import { validateEndpoints } from '../endpoints/validation.ts';
import { validateNode, validateNodeUpdate } from './validation.ts';

const node = (spec: NodeSpec): Node => ({ spec });
const endpoints = (...ips: string[]): Endpoints => ({
  subsets: [{ addresses: ips.map((ip) => ({ ip })), ports: [{ port: 80, protocol: 'TCP' }] }],
});

const rows: readonly (readonly [name: string, errors: () => readonly FieldError[], ...expected: string[]])[] = [
  ['a node', () => validateNode(node({ podCIDRs: ['10.0.0.0/24', 'fd00::/64'] }))],
  [
    'a taint twice',
    () =>
      validateNode(
        node({
          taints: [
            { key: 'k', effect: 'NoSchedule' },
            { key: 'k', effect: 'NoSchedule' },
          ],
        }),
      ),
    'metadata.taints[1]: Duplicate value: {"Key":"k","Value":"","Effect":"NoSchedule","TimeAdded":null}: ' +
      'taints must be unique by key and effect pair',
  ],
  [
    'two ranges of a family',
    () => validateNode(node({ podCIDRs: ['10.0.0.0/24', '10.0.1.0/24'] })),
    'spec.podCIDRs: Invalid value: ["10.0.0.0/24","10.0.1.0/24"]: may specify no more than one CIDR for each IP family',
  ],
  [
    'half a pod',
    () => validateNode({ status: { capacity: { pods: '500m' } } }),
    'status.capacity.pods: Invalid value: "500m": must be an integer',
  ],
  ['a first range', () => validateNodeUpdate(node({ podCIDRs: ['10.0.0.0/24'] }), node({}))],
  [
    'another range',
    () => validateNodeUpdate(node({ podCIDRs: ['10.0.1.0/24'] }), node({ podCIDRs: ['10.0.0.0/24'] })),
    'spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid',
  ],
  [
    'no provider any more',
    () => validateNodeUpdate(node({}), node({ providerID: 'p' })),
    'spec.providerID: Forbidden: node updates may not change providerID except from "" to valid',
  ],
  ['endpoints', () => validateEndpoints(endpoints('10.0.0.1'))],
  [
    'endpoints on the server itself',
    () => validateEndpoints(endpoints('127.0.0.1')),
    'subsets[0].addresses[0].ip: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
  ],
  ['endpoints that were there', () => validateEndpoints(endpoints('127.0.0.1'), endpoints('127.0.0.1'))],
];

describe('rules of nodes and endpoints', () => {
  for (const [name, errors, ...expected] of rows)
    it(name, () => {
      expect(errors().map(String)).to.deep.equal(expected);
    });
});
