import type { FieldError, KubeObject } from '@kubechain/apimachinery';
import type { Endpoint, EndpointSlice } from '@kubechain/apimachinery/types/discovery/v1';
import { expect } from 'chai';
import { internalContext } from '@kubechain/apiserver/resources';
import { endpointSliceStrategy } from './strategy.ts';
import { validateEndpointSlice, validateEndpointSliceUpdate } from './validation.ts';

const slice = (fields: Partial<EndpointSlice>): EndpointSlice => ({ addressType: 'IPv4', ...fields });
const at = (...addresses: string[]): Partial<EndpointSlice> => ({ endpoints: [{ addresses }] });
const hinted = (hints: NonNullable<Endpoint['hints']>): Partial<EndpointSlice> => ({
  endpoints: [{ addresses: ['10.0.0.1'], hints }],
});

const rows: readonly (readonly [name: string, errors: () => readonly FieldError[], ...expected: string[]])[] = [
  [
    'a slice',
    () => validateEndpointSlice(slice({ ...at('10.0.0.1'), ports: [{ name: 'a', protocol: 'TCP', port: 80 }] })),
  ],
  ['a slice of no kind', () => validateEndpointSlice({} as EndpointSlice), 'addressType: Required value'],
  [
    'an address of the other family',
    () => validateEndpointSlice(slice(at('fd00::1'))),
    'endpoints[0].addresses: Invalid value: "fd00::1": must be an IPv4 address',
  ],
  [
    'an address of the server itself',
    () => validateEndpointSlice(slice(at('127.0.0.1'))),
    'endpoints[0].addresses[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
  ],
  [
    'no address',
    () => validateEndpointSlice(slice(at())),
    'endpoints[0].addresses: Required value: must contain at least 1 address',
  ],
  [
    'too many addresses',
    () => validateEndpointSlice(slice(at(...Array.from({ length: 101 }, (_, i) => `10.0.0.${i + 1}`)))),
    'endpoints[0].addresses: Too many: 101: must have at most 100 items',
  ],
  [
    'a name of one segment',
    () => validateEndpointSlice(slice({ ...at('host'), addressType: 'FQDN' })),
    'endpoints[0].addresses[0]: Invalid value: "host": should be a domain with at least two segments separated by dots',
  ],
  [
    'a port of no protocol',
    () => validateEndpointSlice(slice({ ports: [{ name: 'a', protocol: '' as 'TCP' }] })),
    'ports[0].protocol: Unsupported value: "": supported values: "SCTP", "TCP", "UDP"',
  ],
  [
    'a port twice',
    () =>
      validateEndpointSlice(
        slice({
          ports: [
            { name: 'a', protocol: 'TCP' },
            { name: 'a', protocol: 'UDP' },
          ],
        }),
      ),
    'ports[1].name: Duplicate value: "a"',
  ],
  [
    'a zone twice',
    () => validateEndpointSlice(slice(hinted({ forZones: [{ name: 'z' }, { name: 'z' }] }))),
    'endpoints[0].hints.forZones[1].name: Duplicate value: "z"',
  ],
  ['endpoints that were there', () => validateEndpointSliceUpdate(slice(at('127.0.0.1')), slice(at('127.0.0.1')))],
  [
    'another kind of addresses',
    () => validateEndpointSliceUpdate(slice({ addressType: 'IPv6' }), slice({})),
    'addressType: Invalid value: "IPv6": field is immutable',
  ],
];

describe('Rules of endpoint slices', () => {
  for (const [name, errors, ...expected] of rows)
    it(name, () => {
      expect(errors().map(String)).to.deep.equal(expected);
    });

  it('drops topology labels, and keeps the node that only they had named', async () => {
    const context = internalContext({
      groupResource: { group: 'discovery.k8s.io', resource: 'endpointslices' },
      namespace: 'ns',
    });
    const named = { addresses: ['10.0.0.1'], deprecatedTopology: { 'kubernetes.io/hostname': 'n1' } };
    const changed = {
      ...slice({
        endpoints: [
          structuredClone(named),
          { addresses: ['10.0.0.2'], deprecatedTopology: { 'kubernetes.io/hostname': 'other' } },
        ],
      }),
      metadata: {},
    };
    await endpointSliceStrategy.prepareForUpdate?.(
      changed as KubeObject,
      { ...slice({ endpoints: [named] }), metadata: { generation: 3 } } as KubeObject,
      context,
    );
    expect(changed.endpoints).to.deep.equal([{ addresses: ['10.0.0.1'], nodeName: 'n1' }, { addresses: ['10.0.0.2'] }]);
    expect(changed.metadata).to.deep.equal({ generation: 4 });
  });
});
