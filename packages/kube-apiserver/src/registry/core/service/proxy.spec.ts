import { StatusError, notFound, type KubeObject } from '@kubechain/apimachinery';
import { internalContext, type Store } from '@kubechain/apiserver/resources';
import { expect } from 'chai';
import { serviceBackend } from './proxy.ts';

/** Reads from a list of objects as a store does. */
function storeOf(resource: string, objects: Readonly<Record<string, object>>): Pick<Store, 'get'> {
  return {
    get: (_context, name) => {
      const object = objects[name];
      if (object === undefined) return Promise.reject(notFound({ group: '', resource }, name));
      return Promise.resolve({ object: () => object as KubeObject } as Awaited<ReturnType<Store['get']>>);
    },
  };
}

const podAt = (...ips: string[]): object => ({ status: { podIPs: ips.map((ip) => ({ ip })) } });
const address = (ip: string, name: string, namespace = 'n'): object => ({
  ip,
  targetRef: { kind: 'Pod', name, namespace },
});

describe('the pod that a service is proxied to', () => {
  const services = {
    web: {
      spec: {
        ports: [
          { name: 'http', port: 80 },
          { name: 'metrics', port: 90 },
        ],
      },
    },
    plain: { spec: { ports: [{ port: 80 }] } },
  };
  const pods = { a: podAt('10.0.0.1'), b: podAt('10.0.0.2', 'fd00::2') };
  const endpoints = {
    web: {
      subsets: [
        { notReadyAddresses: [address('10.0.0.1', 'a')], ports: [{ name: 'http', port: 8080 }] },
        { addresses: [address('10.0.0.1', 'a'), address('fd00::2', 'b')], ports: [{ name: 'http', port: 8080 }] },
        {
          addresses: [
            address('10.0.0.9', 'a'),
            address('10.0.0.1', 'a', 'other'),
            address('10.0.0.1', 'gone'),
            { ip: '10.0.0.1' },
          ],
          ports: [{ name: 'metrics', port: 9090 }],
        },
      ],
    },
    plain: { subsets: [{ addresses: [address('10.0.0.2', 'b')], ports: [{ port: 8080 }] }] },
    empty: {},
  };
  const rows: readonly (readonly [what: string, id: string, random: number, expected: string])[] = [
    ["is one of those with the port's name", 'web:http', 0, 'http://10.0.0.1:8080'],
    ['is another one at random', 'https:web:http', 0.99, 'https://[fd00::2]:8080'],
    ["is found by the number of the service's port", 'web:80', 0, 'http://10.0.0.1:8080'],
    ['is found without a port where ports have no names', 'plain', 0, 'http://10.0.0.2:8080'],
    ['is none when the port is not there', 'web:81', 0, '503 no service port 81 found for service "web"'],
    ['is none when the name is not there', 'web:x', 0, '503 no endpoints available for service "web:x"'],
    [
      'is none that the address does not belong to',
      'web:metrics',
      0,
      '503 no endpoints available for service "web:metrics"',
    ],
    ['is none without endpoints', 'empty', 0, '503 no endpoints available for service "empty"'],
    ['is none of an unknown service', 'gone:80', 0, '404 services "gone" not found'],
    ['is none of a bad name', 'ftp:web:80', 0, '400 invalid service request "ftp:web:80"'],
  ];
  for (const [what, id, random, expected] of rows) {
    it(what, async () => {
      const sources = {
        services: storeOf('services', services),
        endpoints: () => storeOf('endpoints', endpoints),
        pods: () => storeOf('pods', pods),
        random: () => random,
      };
      const context = internalContext({ groupResource: { group: '', resource: 'services' }, namespace: 'n' });
      const text = await serviceBackend(sources, context, id).then(
        ({ scheme, host }) => `${scheme}://${host}`,
        (error: unknown) =>
          error instanceof StatusError ? `${error.status.code ?? 0} ${error.message}` : String(error),
      );
      expect(text).to.equal(expected);
    });
  }
});
