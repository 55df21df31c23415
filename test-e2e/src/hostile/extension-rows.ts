import { setTimeout as delay } from 'node:timers/promises';
import { attack } from './attack-frames.ts';
import { namespaced, post } from './api-requests.ts';
import { httpAnswers } from './http-answers.ts';
import { pour, startRawBackend, type RawAnswer } from './raw-backend.ts';
import { administrator } from './rights.ts';
import type { HostileRow } from './row.ts';
import { Target, type Outcome } from './target.ts';

const services = '/apis/apiregistration.k8s.io/v1/apiservices';
const group = 'odd.example';
const ofGroup = `/apis/${group}/v1`;
const documents = new Set(['/apis', '/openapi/v2', '/openapi/v3', ofGroup]);
const discovery =
  '{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"odd.example/v1","resources":[{"name":"odds",' +
  '"singularName":"odd","namespaced":true,"kind":"Odd","verbs":["get","list","watch","create"]}]}';
const whole = (text: string): string =>
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n` +
  `Connection: close\r\n\r\n${text}`;

/** Asks an extension server by the ordinary user, in each way that there is. */
async function asked(target: Target): Promise<Outcome> {
  const odds = `${ofGroup}/namespaces/hostile/odds`;
  const outcome = await target.http2([
    ...Array.from({ length: 10 }, (_, i) => ({ path: `${odds}/o${i}` })),
    { path: odds },
    { path: `${odds}?watch=true` },
    post(odds, '{}'),
  ]);
  await target.raw(
    [
      `GET ${odds}/a/exec HTTP/1.1\r\nHost: a\r\n${target.authorization}Connection: Upgrade\r\nUpgrade: websocket\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    ],
    { quietMs: 1_000 },
  );
  return outcome;
}

/** Asks for thousands of watches at once, each of which takes a connection to the extension server. */
async function watched(target: Target): Promise<Outcome> {
  const path = `${ofGroup}/namespaces/hostile/odds?watch=true&timeoutSeconds=4`;
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, () => target.http2(Array.from({ length: 100 }, () => ({ path })))),
  );
  return { statuses: [], text: outcomes[0]?.text ?? '' };
}

/**
 * A registered API whose server answers as it likes. What it answers is not the chain's: only what others wait for is
 * looked at.
 */
function extension(name: string, answer: RawAnswer, documentsToo: boolean, ask = asked): HostileRow {
  return attack(`extension server: ${name}`, async (target) => {
    const admin = new Target(target.port, administrator);
    const backend = await startRawBackend((socket, head, reset) => {
      const path = head.split(' ')[1]?.split('?')[0] ?? '';
      if (!documentsToo && (documents.has(path) || path.startsWith('/openapi/')))
        socket.end(path === ofGroup ? whole(discovery) : 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
      else answer(socket, head, reset);
    });
    try {
      await admin.http2([
        post(
          namespaced('services'),
          '{"metadata":{"name":"odd"},"spec":{"type":"ExternalName","externalName":"localhost"}}',
        ),
        post(
          services,
          JSON.stringify({
            metadata: { name: `v1.${group}` },
            spec: {
              group,
              version: 'v1',
              groupPriorityMinimum: 1_000,
              versionPriority: 10,
              insecureSkipTLSVerify: true,
              service: { namespace: 'hostile', name: 'odd', port: backend.port },
            },
          }),
        ),
      ]);
      // Until it is found to be there; one whose documents are wrong as well never is.
      for (let tries = 0; tries < (documentsToo ? 10 : 50); tries++) {
        const { text } = await admin.http2([{ path: `${services}/v1.${group}` }]);
        if (text.includes('"reason":"Passed"')) break;
        await delay(100);
      }
      const { text } = await ask(target);
      if (documentsToo)
        for (let i = 0; i < 3; i++) {
          const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
          await admin.http2([
            { path: '/apis' },
            { path: '/apis', headers: { accept } },
            { path: '/openapi/v2' },
            { path: '/openapi/v3' },
          ]);
        }
      return { statuses: [], text };
    } finally {
      await admin.http2([
        { method: 'DELETE', path: `${services}/v1.${group}` },
        { method: 'DELETE', path: `${namespaced('services')}/odd` },
      ]);
      await backend.stop();
    }
  });
}

/** Documents as large as they may be, or larger; the one of the group version is as it should be. */
const documents200 =
  (path: string, text: () => string, type = 'application/json'): RawAnswer =>
  (socket, head) => {
    const asked = head.split(' ')[1]?.split('?')[0];
    if (asked === path) socket.end(`HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nConnection: close\r\n\r\n${text()}`);
    else socket.end(asked === ofGroup ? whole(discovery) : 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
  };
const entries = (count: number, make: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => make(i)).join();

const upgraded = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

/** Extension servers that mean no good. */
export const extensionRows: readonly HostileRow[] = [
  extension('2,000 watches of which it answers none', () => undefined, false, watched),
  ...[...httpAnswers].map(([name, answer]) => extension(name, answer, false)),
  extension(
    'frames without an end',
    (socket) => {
      socket.write(upgraded);
      pour(socket, Buffer.alloc(1 << 16, '8204abcd', 'hex'));
    },
    false,
  ),
  extension(
    'documents without an end',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n');
      pour(socket, ' '.repeat(1 << 18));
    },
    true,
  ),
  extension(
    'documents of 30 MB of lists',
    (socket) => void socket.end(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n${'['.repeat(30_000_000)}`),
    true,
  ),
  extension(
    'documents of a million members',
    (socket) =>
      void socket.end(
        `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{"kind":"APIGroupDiscoveryList","apiVersion":` +
          `"apidiscovery.k8s.io/v2","items":[${'{"metadata":{"name":"odd.example"}},'.repeat(500_000)}{}]}`,
      ),
    true,
  ),
  ...[5_000, 40_000].map((count) =>
    extension(
      `discovery of ${count} resources`,
      documents200(
        '/apis',
        () =>
          '{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","items":[{"metadata":{"name":' +
          `"odd.example"},"versions":[{"version":"v1","resources":[${entries(
            count,
            (i) =>
              `{"resource":"r${i}","responseKind":{"kind":"R${i}"},"scope":"Namespaced","singularResource":"` +
              `${'s'.repeat(500)}","verbs":["get","list"]}`,
          )}]}]}]}`,
        'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
      ),
      true,
    ),
  ),
  ...[30_000, 230_000].map((count) =>
    extension(
      `an index of ${count} documents`,
      documents200(
        '/openapi/v3',
        () => `{"paths":{${entries(count, (i) => `"apis/x${i}/v1":{"serverRelativeURL":"/openapi/v3/apis/x${i}"}`)}}}`,
      ),
      true,
    ),
  ),
  ...[6_000, 20_000].map((count) =>
    extension(
      `${count} definitions that refer to each other`,
      documents200(
        '/openapi/v2',
        () =>
          `{"swagger":"2.0","info":{"title":"a","version":"v"},"paths":{${entries(
            count,
            (i) =>
              `"${ofGroup}/p${i}":{"get":{"responses":{"200":{"description":"x","schema":` +
              `{"$ref":"#/definitions/d${i}"}}}}}`,
          )}},"definitions":{${entries(
            count,
            (i) => `"d${i}":{"properties":{"a":{"$ref":"#/definitions/d${(i + 1) % count}"},"b":{"type":"string"}}}`,
          )}}}`,
      ),
      true,
    ),
  ),
];
