import { hpackLiteral, http2Flags, http2Frame, http2FrameTypes } from '@kubechain/apiserver/testing';
import { setTimeout as delay } from 'node:timers/promises';
import { asked, attack, bigEndian, headersOf, opened, repeated } from './attack-frames.ts';
import type { HostileRow } from './row.ts';
import type { Target } from './target.ts';

const { continuation, data, goaway, headers, ping, priority, reset, settings, window } = http2FrameTypes;
const { endHeaders, endStream, padded } = http2Flags;
const configMaps = '/api/v1/namespaces/hostile/configmaps';
const odd = (i: number): number => 2 * i + 1;

interface Flood {
  readonly connections?: number;
  readonly window?: number;
  readonly holdMs?: number;
}

/** The same over some connections of HTTP/2, which are left a little later. */
function flood(
  name: string,
  make: (target: Target) => Buffer,
  { connections = 4, holdMs = 1_000, ...more }: Flood = {},
): HostileRow {
  return attack(`HTTP/2 flood: ${name}`, (target) =>
    target.hold(connections, [opened(more.window), make(target)], { alpn: 'h2', pauseMs: holdMs }),
  );
}

/** An entry of 4 KB in the table of HPACK, and a header block that names it so many times: a byte each. */
function bomb(times: number): Buffer {
  const value = 'b'.repeat(4_000);
  const kept = Buffer.concat([Buffer.from([0x40]), hpackLiteral('a', value).subarray(1)]);
  return Buffer.concat([kept, Buffer.alloc(times, 0xbe)]);
}

/** Frames that cost the server more than the client. */
export const floodRows: readonly HostileRow[] = [
  flood('headers that unpack to 60 MB', (target) =>
    http2Frame(headers, {
      flags: endHeaders | endStream,
      stream: 1,
      payload: Buffer.concat([headersOf(target, '/version'), bomb(15_000)]),
    }),
  ),
  flood('headers that unpack to 900 KB, 100 times', (target) =>
    repeated(100, (i) =>
      http2Frame(headers, {
        flags: endHeaders | endStream,
        stream: odd(i),
        payload: Buffer.concat([headersOf(target, '/version'), bomb(200)]),
      }),
    ),
  ),
  flood('headers of 900 crumbs, 500 times', (target) =>
    repeated(500, (i) =>
      http2Frame(headers, {
        flags: endHeaders | endStream,
        stream: odd(i),
        payload: Buffer.concat([headersOf(target, '/version'), repeated(900, () => hpackLiteral('cookie', 'a=b'))]),
      }),
    ),
  ),
  flood('tables of HPACK resized 100,000 times', () =>
    repeated(100_000, (i) =>
      http2Frame(settings, { payload: Buffer.concat([bigEndian(2, 1), bigEndian(4, i % 2 === 0 ? 0 : 65_536)]) }),
    ),
  ),
  flood('100,000 requests that are reset at once', (target) =>
    repeated(25_000, (i) =>
      Buffer.concat([
        asked(target, odd(i), configMaps),
        http2Frame(reset, { stream: odd(i), payload: bigEndian(4, 8) }),
      ]),
    ),
  ),
  flood('20,000 requests that are reset by a window of nothing', (target) =>
    repeated(5_000, (i) =>
      Buffer.concat([
        asked(target, odd(i), configMaps),
        http2Frame(window, { stream: odd(i), payload: bigEndian(4, 0) }),
      ]),
    ),
  ),
  flood('requests on streams that are closed', (target) => repeated(20_000, () => asked(target, 1, '/version'))),
  flood(
    'windows that open by a byte',
    (target) =>
      Buffer.concat([
        repeated(50, (i) => asked(target, odd(i), '/openapi/v2')),
        repeated(100_000, (i) => http2Frame(window, { stream: odd(i % 50), payload: bigEndian(4, 1) })),
      ]),
    { window: 0 },
  ),
  flood('windows of all streams opened and closed', (target) =>
    Buffer.concat([
      repeated(90, (i) => asked(target, odd(i), `${configMaps}?watch=true`)),
      repeated(20_000, (i) =>
        http2Frame(settings, { payload: Buffer.concat([bigEndian(2, 4), bigEndian(4, i % 2 === 0 ? 0 : 0x7fffffff)]) }),
      ),
    ]),
  ),
  flood('settings of 2,000 values', () =>
    repeated(1_000, () =>
      http2Frame(settings, { payload: repeated(2_000, () => Buffer.concat([bigEndian(2, 3), bigEndian(4, 1)])) }),
    ),
  ),
  flood('frames of a byte at most', (target) =>
    Buffer.concat([
      asked(target, 1, '/openapi/v2'),
      http2Frame(settings, { payload: Buffer.concat([bigEndian(2, 5), bigEndian(4, 1)]) }),
    ]),
  ),
  flood('100,000 pings that want an answer', () =>
    repeated(100_000, (i) => http2Frame(ping, { payload: Buffer.alloc(8, i) })),
  ),
  flood('100,000 pings that are answers', () =>
    repeated(100_000, () => http2Frame(ping, { flags: 1, payload: Buffer.alloc(8) })),
  ),
  flood('100,000 settings that are answers', () => repeated(100_000, () => http2Frame(settings, { flags: 1 }))),
  flood(
    'continuations without an end',
    (target) =>
      Buffer.concat([
        http2Frame(headers, { flags: endStream, stream: 1, payload: headersOf(target, '/version') }),
        repeated(2_000, (i) =>
          http2Frame(continuation, { stream: 1, payload: hpackLiteral(`x-${i}`, 'a'.repeat(4_000)) }),
        ),
      ]),
    { connections: 20 },
  ),
  flood('priorities of one another', () =>
    repeated(100_000, (i) =>
      http2Frame(priority, {
        stream: odd(i % 5_000),
        payload: Buffer.concat([bigEndian(4, odd((i * 7) % 5_000)), bigEndian(1, 255)]),
      }),
    ),
  ),
  flood('padding', (target) =>
    Buffer.concat([
      http2Frame(headers, { flags: endHeaders, stream: 1, payload: headersOf(target, configMaps, 'POST') }),
      repeated(50_000, () =>
        http2Frame(data, { flags: padded, stream: 1, payload: Buffer.concat([Buffer.from([255]), Buffer.alloc(255)]) }),
      ),
    ]),
  ),
  flood('trailers of 900 fields, 90 times', (target) =>
    repeated(90, (i) =>
      Buffer.concat([
        http2Frame(headers, { flags: endHeaders, stream: odd(i), payload: headersOf(target, configMaps, 'POST') }),
        http2Frame(data, { stream: odd(i), payload: Buffer.from('{}') }),
        http2Frame(headers, {
          flags: endHeaders | endStream,
          stream: odd(i),
          payload: repeated(900, (j) => hpackLiteral(`x-${j}`, 'a')),
        }),
      ]),
    ),
  ),
  flood('10,000 farewells', () => repeated(10_000, () => http2Frame(goaway, { payload: Buffer.alloc(8) }))),
  flood(
    '200 connections with 90 large answers each that nobody reads',
    (target) => repeated(90, (i) => asked(target, odd(i), '/openapi/v2')),
    { connections: 200, window: 0, holdMs: 3_000 },
  ),
  flood('answers of which a little is read', (target) => repeated(90, (i) => asked(target, odd(i), '/openapi/v2')), {
    connections: 50,
    window: 1_000,
    holdMs: 3_000,
  }),
  flood(
    '50 connections with 90 bodies each of 200 KB that do not end',
    (target) =>
      repeated(90, (i) =>
        Buffer.concat([
          http2Frame(headers, { flags: endHeaders, stream: odd(i), payload: headersOf(target, configMaps, 'POST') }),
          repeated(12, () => http2Frame(data, { stream: odd(i), payload: Buffer.alloc(16_000, '{"a":') })),
        ]),
      ),
    { connections: 50, holdMs: 3_000 },
  ),
  attack('HTTP/2 flood: 3,000 connections, one after another', async (target) => {
    for (let i = 0; i < 30; i++) await target.hold(100, [opened()], { alpn: 'h2', pauseMs: 20 });
    await delay(500);
    return { statuses: [], text: '' };
  }),
];
