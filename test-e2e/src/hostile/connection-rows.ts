import { setTimeout as delay } from 'node:timers/promises';
import { hpackHeaders, http2Flags, http2Frame, http2FrameTypes, http2Preface } from '@kubechain/apiserver/testing';
import { passerby } from './rights.ts';
import type { HostileRow } from './row.ts';
import { Target, type Outcome } from './target.ts';

const { data, headers, reset, settings } = http2FrameTypes;
const { endHeaders, endStream } = http2Flags;
const post = 'POST /api/v1/namespaces/hostile/configmaps HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';

function row(name: string, fire: (target: Target) => ReturnType<HostileRow['fire']>): HostileRow {
  return { name, as: 'user', fire };
}

const block = (target: Target, method: string, path: string): Buffer =>
  hpackHeaders({
    ':method': method,
    ':scheme': 'https',
    ':authority': 'a',
    ':path': path,
    'content-type': 'application/json',
    authorization: `Bearer ${target.token}`,
  });

/** Streams of one connection, opened with the same headers; each may be followed by more. */
function streams(
  target: Target,
  count: number,
  request: {
    readonly method: string;
    readonly path: string;
    readonly flags: number;
    readonly more?: (stream: number) => Buffer;
    readonly window?: number;
  },
): Buffer {
  const { method, path, flags, more, window = 65_535 } = request;
  const payload = block(target, method, path);
  const first = Buffer.alloc(6);
  first.writeUInt16BE(4, 0);
  first.writeUInt32BE(window, 2);
  const all = [Buffer.from(http2Preface), http2Frame(settings, { payload: first })];
  for (let stream = 1; stream < 2 * count; stream += 2) {
    all.push(http2Frame(headers, { flags, stream, payload }));
    if (more !== undefined) all.push(more(stream));
  }
  return Buffer.concat(all);
}

/** Far below what somebody waits who is kept out (15 s, and 429 then), and above what a busy machine takes. */
const patienceMs = 12_000;

/** What somebody else is answered for some seconds; who waited for longer than that has failed. */
async function beside(other: Target): Promise<Outcome> {
  for (const until = performance.now() + 7_000; performance.now() < until; await delay(100)) {
    const askedAt = performance.now();
    // oxlint-disable-next-line no-await-in-loop -- one after another, as somebody asks
    const { statuses, text } = await other.http2([{ path: '/apis/authorization.k8s.io/v1' }]);
    const waitedMs = performance.now() - askedAt;
    if (statuses[0] !== 200 || waitedMs > patienceMs) return { statuses: [500], text: `after ${waitedMs} ms: ${text}` };
  }
  return { statuses: [200], text: '' };
}

/** Clients that open much, say little and leave, or never read. */
export const connectionRows: readonly HostileRow[] = [
  row('300 connections that say nothing', (target) => target.hold(300, [''], { pauseMs: 500 })),
  row('200 heads that come letter by letter', (target) =>
    target.hold(200, 'GET /version HTTP/1.1\r\nHost: a\r\nX-A: '.split(''), { pauseMs: 20 }),
  ),
  row('200 bodies that come letter by letter', (target) =>
    target.hold(
      200,
      [`${post}${target.authorization}Content-Length: 1000\r\n\r\n`, ...'{"apiVersion":"v1"'.split('')],
      {
        pauseMs: 20,
      },
    ),
  ),
  row('200 chunks that never end', (target) =>
    target.hold(
      200,
      [`${post}${target.authorization}Transfer-Encoding: chunked\r\n\r\n`, ...'fffff\r\n{"a"'.split('')],
      {
        pauseMs: 20,
      },
    ),
  ),
  row('300 clients that wait to be told to go on', (target) =>
    target.hold(300, [`${post}${target.authorization}Expect: 100-continue\r\nContent-Length: 1000\r\n\r\n`], {
      pauseMs: 500,
    }),
  ),
  row('200 lists that nobody reads', (target) =>
    target.hold(200, [`GET /openapi/v2 HTTP/1.1\r\nHost: a\r\n${target.authorization}\r\n`.repeat(5)], {
      pauseMs: 500,
    }),
  ),
  row('20 connections with 10,000 requests each behind each other, which nobody reads', (target) =>
    target.hold(20, [`GET /version HTTP/1.1\r\nHost: a\r\n${target.authorization}\r\n`.repeat(10_000)], {
      pauseMs: 2_000,
    }),
  ),
  row('HTTP/2: 50 connections with 200 watches each that nobody reads', (target) =>
    target.hold(
      50,
      [
        streams(target, 200, {
          method: 'GET',
          path: '/api/v1/namespaces/hostile/configmaps?watch=true',
          flags: endHeaders | endStream,
          window: 0,
        }),
      ],
      { alpn: 'h2', pauseMs: 1_500 },
    ),
  ),
  row('HTTP/2: 900 large answers that nobody reads', (target) =>
    target.hold(
      1,
      [streams(target, 900, { method: 'GET', path: '/openapi/v2', flags: endHeaders | endStream, window: 0 })],
      { alpn: 'h2', pauseMs: 1_500 },
    ),
  ),
  row('HTTP/2: 20 connections with 900 bodies each that never come', (target) =>
    target.hold(
      20,
      [
        streams(target, 900, {
          method: 'POST',
          path: '/api/v1/namespaces/hostile/configmaps',
          flags: endHeaders,
          more: (stream) => http2Frame(data, { stream, payload: Buffer.from('{') }),
        }),
      ],
      { alpn: 'h2', pauseMs: 1_500 },
    ),
  ),
  row('HTTP/2: 900 bodies of a user that never come, beside somebody who waits for the same seats', async (target) => {
    const held = target.hold(
      10,
      [
        streams(target, 90, {
          method: 'POST',
          path: '/api/v1/namespaces/hostile/configmaps',
          flags: endHeaders,
          more: (stream) => http2Frame(data, { stream, payload: Buffer.from('{') }),
        }),
      ],
      { alpn: 'h2', pauseMs: 8_000 },
    );
    const outcome = await beside(new Target(target.port, passerby));
    await held;
    return outcome;
  }),
  row('HTTP/2: 20,000 POSTs of a user, opened and reset', (target) =>
    target.hold(
      10,
      [
        streams(target, 2_000, {
          method: 'POST',
          path: '/api/v1/namespaces/hostile/configmaps',
          flags: endHeaders,
          more: (stream) => http2Frame(reset, { stream, payload: Buffer.from([0, 0, 0, 8]) }),
        }),
      ],
      { alpn: 'h2', pauseMs: 1_000 },
    ),
  ),
  row('HTTP/2: 20,000 GETs of a user, opened and reset without an error', (target) =>
    target.hold(
      10,
      [
        streams(target, 2_000, {
          method: 'GET',
          path: '/api/v1/namespaces/hostile/pods',
          flags: endHeaders | endStream,
          more: (stream) => http2Frame(reset, { stream, payload: Buffer.alloc(4) }),
        }),
      ],
      { alpn: 'h2', pauseMs: 1_000 },
    ),
  ),
  row('HTTP/2: 100 connections that open streams and go', async (target) => {
    for (let i = 0; i < 10; i++)
      await target.hold(
        10,
        [
          streams(target, 100, {
            method: 'POST',
            path: '/api/v1/namespaces/hostile/configmaps',
            flags: endHeaders,
          }),
        ],
        { alpn: 'h2', pauseMs: 20 },
      );
    return { statuses: [], text: '' };
  }),
];
