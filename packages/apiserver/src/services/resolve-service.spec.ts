import { expect } from 'chai';
import { clusterResolver, endpointResolver, loopbackAddress, loopbackResolver } from './resolve-service.ts';
import type { RoutedService, RoutedSlice } from './service-directory.ts';

const base: RoutedService = {
  name: 's',
  type: 'ClusterIP',
  clusterIP: '10.0.0.7',
  externalName: '',
  primaryFamily: 'IPv4',
  ports: [{ name: 'https', port: 443 }],
};
const slice = (addressType: string, readyAddresses: readonly string[], name = 'https'): RoutedSlice => ({
  service: 'n/s',
  addressType,
  readyAddresses,
  ports: [{ name, port: 8443 }],
});
const directory = (service: RoutedService | undefined, slices: readonly RoutedSlice[] = []) => ({
  service: () => service,
  slices: () => slices,
});
const wanted = { namespace: 'n', name: 's', port: 443 };

describe('service resolvers', () => {
  const endpoints: readonly (readonly [
    name: string,
    service: RoutedService | undefined,
    slices: readonly RoutedSlice[],
    expected: string,
  ])[] = [
    ['an endpoint', base, [slice('IPv4', ['1.2.3.4'])], '1.2.3.4:8443'],
    ['the primary family', base, [slice('IPv6', ['fd00::1']), slice('IPv4', ['1.2.3.4'])], '1.2.3.4:8443'],
    [
      'the other family when the primary one has none',
      base,
      [slice('IPv6', ['fd00::1']), slice('IPv4', [])],
      '[fd00::1]:8443',
    ],
    ['no slices', base, [], 'no endpoints available for service "s"'],
    ['no ready endpoint', base, [slice('IPv4', [])], 'no endpoints available for service "s"'],
    ['another port', base, [slice('IPv4', ['1.2.3.4'], 'http')], 'no endpoints available for service "s"'],
    ['a port that the service has not', { ...base, ports: [] }, [], 'no service port 443 found for service "s"'],
    ['an external name', { ...base, type: 'ExternalName' }, [], 'unsupported service type "ExternalName"'],
    ['nothing', undefined, [], 'service "s" not found'],
  ];
  for (const [name, service, slices, expected] of endpoints)
    it(`endpoint of ${name}`, () => {
      expect(outcome(() => endpointResolver(directory(service, slices), () => 0.99)(wanted))).to.equal(expected);
    });

  const clusters: readonly (readonly [name: string, service: RoutedService, expected: string])[] = [
    ['a cluster IP', base, '10.0.0.7:443'],
    ['an external name', { ...base, type: 'ExternalName', externalName: 'api.example.com' }, 'api.example.com:443'],
    ['a headless service', { ...base, clusterIP: 'None' }, 'cannot route to service with ClusterIP "None"'],
  ];
  for (const [name, service, expected] of clusters)
    it(`address of ${name}`, () => {
      expect(outcome(() => clusterResolver(directory(service))(wanted))).to.equal(expected);
    });

  it("lead the cluster's own service to the server itself", () => {
    const resolve = loopbackResolver(({ namespace, name, port }) => `${namespace}/${name}:${port}`, '127.0.0.1:6443');
    expect(resolve({ namespace: 'default', name: 'kubernetes', port: 443 })).to.equal('127.0.0.1:6443');
    for (const other of [
      { namespace: 'other', name: 'kubernetes', port: 443 },
      { namespace: 'default', name: 'other', port: 443 },
      { namespace: 'default', name: 'kubernetes', port: 8443 },
    ]) {
      expect(resolve(other)).to.equal(`${other.namespace}/${other.name}:${other.port}`);
    }
  });
  for (const [bound, expected] of [
    ['127.0.0.1', '127.0.0.1:1'],
    ['0.0.0.0', '127.0.0.1:1'],
    ['', '127.0.0.1:1'],
    ['::', '[::1]:1'],
    ['fd00::1', '[fd00::1]:1'],
    ['192.0.2.1', '192.0.2.1:1'],
  ] as const) {
    it(`find a server that listens on ${bound === '' ? 'everything' : bound} at ${expected}`, () => {
      expect(loopbackAddress(bound, 1)).to.equal(expected);
    });
  }
});

function outcome(resolve: () => string): string {
  try {
    return resolve();
  } catch (error) {
    return (error as Error).message;
  }
}
