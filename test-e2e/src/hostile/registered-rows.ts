import { setTimeout as delay } from 'node:timers/promises';
import { crowd, letters } from './many-rows.ts';
import { attack } from './attack-frames.ts';
import { mergePatch, namespaced, patch, post } from './api-requests.ts';
import { startRawBackend } from './raw-backend.ts';
import { administrator } from './rights.ts';
import type { HostileRow } from './row.ts';
import { Target, type HostileRequest } from './target.ts';

const services = '/apis/apiregistration.k8s.io/v1/apiservices';
const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const asAdministrator = ({ port }: Target): Target => new Target(port, administrator);

interface Registered {
  readonly group: string;
  readonly version?: string;
  readonly service?: string;
  readonly port?: number;
  readonly groupPriority?: number;
}

/** An API that a server of a service of the ordinary user's namespace should serve. */
function registered({
  group,
  groupPriority = 1_000,
  port = 443,
  service = 'nowhere',
  version = 'v1',
}: Registered): HostileRequest {
  return post(
    services,
    JSON.stringify({
      metadata: { name: `${version}.${group}`, labels: { hostile: 'registered' } },
      spec: {
        group,
        version,
        service: { namespace: 'hostile', name: service, port },
        insecureSkipTLSVerify: true,
        groupPriorityMinimum: groupPriority,
        versionPriority: 15,
      },
    }),
  );
}

/** A service by this name, which leads to this machine. */
const leading = (name: string): HostileRequest =>
  post(
    namespaced('services'),
    JSON.stringify({ metadata: { name }, spec: { type: 'ExternalName', externalName: 'localhost' } }),
  );
const everything: readonly HostileRequest[] = [
  { path: '/apis' },
  { path: '/apis', headers: { accept: aggregated } },
  { path: '/openapi/v2' },
  { path: '/openapi/v3' },
  { path: services },
];
const end = { method: 'DELETE', path: `${services}?labelSelector=hostile%3Dregistered` };

const answered = (status: string, body: string): string =>
  `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n` +
  `Connection: close\r\n\r\n${body}`;

/**
 * So many APIs behind one server that fails every other tenth of a second, while the ordinary user changes the service
 * that leads to it, and an administrator what is said of them.
 */
function flapping(count: number): HostileRow {
  return attack(`many: ${count} registered APIs of a server that comes and goes`, async (target) => {
    const admin = asAdministrator(target);
    const backend = await startRawBackend((socket) => {
      const there = Math.floor(performance.now() / 100) % 2 === 0;
      socket.end(answered(there ? '200 OK' : '500 Internal Server Error', '{"resources":[]}'));
    });
    const group = (i: number): string => `f${letters(i)}.hostile.example`;
    try {
      const outcomes = [
        await admin.http2([
          leading('flapping'),
          ...many(count, (i) => registered({ group: group(i), service: 'flapping', port: backend.port })),
        ]),
      ];
      for (let i = 0; i < 60; i++) {
        const conditions = [{ type: 'Available', status: i % 2 === 0 ? 'True' : 'False', reason: 'Told' }];
        outcomes.push(
          await target.http2([
            patch(
              mergePatch,
              JSON.stringify({ metadata: { labels: { a: `v${i}` } } }),
              `${namespaced('services')}/flapping`,
            ),
          ]),
          await admin.http2([
            patch(mergePatch, JSON.stringify({ status: { conditions } }), `${services}/v1.${group(0)}/status`),
            ...everything,
          ]),
        );
        await delay(50);
      }
      const failed = outcomes.find(({ statuses }) => statuses.some((status) => status >= 500));
      return { statuses: outcomes.flatMap(({ statuses }) => statuses), text: failed?.text ?? '' };
    } finally {
      await admin.http2([end]);
      await backend.stop();
    }
  });
}

/** APIs of others' servers, many of them, and such as come and go. */
export const registeredRows: readonly HostileRow[] = [
  crowd('2,000 registered APIs, half of them with a service that nobody serves', {
    make: () => [
      leading('odd'),
      ...many(2_000, (i) =>
        registered({ group: `m${letters(i)}.hostile.example`, port: 1, service: i % 2 === 0 ? 'odd' : 'nowhere' }),
      ),
    ],
    collections: [end.path],
    used: many(8, () => everything).flat(),
    as: asAdministrator,
  }),
  crowd('2,000 registered versions of one group, of all priorities', {
    make: () => [
      leading('odd'),
      ...many(2_000, (i) =>
        registered({ group: 'm.hostile.example', version: `v${i + 1}`, port: 1, service: 'odd', groupPriority: i + 1 }),
      ),
    ],
    collections: [end.path],
    used: many(8, () => everything).flat(),
    as: asAdministrator,
  }),
  flapping(1),
  flapping(300),
];
