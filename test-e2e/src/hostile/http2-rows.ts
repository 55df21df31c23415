import { hpackLiteral, http2Frame, http2FrameTypes, http2Preface } from '@kubechain/apiserver/testing';
import { request, type HostileRow } from './row.ts';
import type { Target } from './target.ts';

const frame = http2Frame;
const {
  continuation: continuationFrame,
  data: dataFrame,
  goaway: goawayFrame,
  headers: headersFrame,
  ping: pingFrame,
  priority: priorityFrame,
  push: pushFrame,
  reset: resetFrame,
  settings: settingsFrame,
  window: windowFrame,
} = http2FrameTypes;

const repeated = (times: number, make: (i: number) => Buffer): Buffer =>
  Buffer.concat(Array.from({ length: times }, (_, i) => make(i)));
/** GET / with an authority, in HPACK. */
const getRoot = Buffer.from([0x82, 0x87, 0x84, 0x41, 0x01, 0x61]);
const settings = frame(settingsFrame);
const literal = hpackLiteral;

function frames(name: string, ...parts: readonly Buffer[]): HostileRow {
  return {
    name: `HTTP/2: ${name}`,
    as: 'nobody',
    fire: (target: Target) => target.raw([http2Preface, settings, ...parts], { alpn: 'h2' }),
  };
}

/** Frames and headers of HTTP/2 that cost the server more than the client, or that are none. */
export const http2Rows: readonly HostileRow[] = [
  frames(
    '20,000 SETTINGS',
    repeated(20_000, () => settings),
  ),
  frames(
    '20,000 PINGs',
    repeated(20_000, () => frame(pingFrame, { payload: Buffer.alloc(8) })),
  ),
  frames(
    '20,000 streams opened and reset',
    repeated(20_000, (i) =>
      Buffer.concat([
        frame(headersFrame, { flags: 5, stream: 2 * i + 1, payload: getRoot }),
        frame(resetFrame, { stream: 2 * i + 1, payload: Buffer.from([0, 0, 0, 8]) }),
      ]),
    ),
  ),
  frames(
    '20,000 CONTINUATIONs',
    frame(headersFrame, { flags: 1, stream: 1, payload: getRoot }),
    repeated(20_000, () => frame(continuationFrame, { stream: 1, payload: literal('a', 'b') })),
  ),
  frames(
    '20,000 empty CONTINUATIONs',
    frame(headersFrame, { flags: 1, stream: 1, payload: getRoot }),
    repeated(20_000, () => frame(continuationFrame, { stream: 1 })),
  ),
  frames(
    '20,000 PRIORITYs',
    repeated(20_000, (i) => frame(priorityFrame, { stream: 2 * i + 1, payload: Buffer.from([0, 0, 0, 0, 1]) })),
  ),
  frames(
    '20,000 empty DATAs',
    frame(headersFrame, {
      flags: 4,
      stream: 1,
      payload: Buffer.concat([Buffer.from([0x83, 0x87, 0x84, 0x41, 0x01, 0x61])]),
    }),
    repeated(20_000, () => frame(dataFrame, { stream: 1 })),
  ),
  frames(
    'windows opened beyond their end',
    frame(windowFrame, { payload: Buffer.from([0x7f, 0xff, 0xff, 0xff]) }),
    frame(windowFrame, { payload: Buffer.from([0x7f, 0xff, 0xff, 0xff]) }),
  ),
  frames(
    'a push by a client',
    frame(pushFrame, { flags: 4, stream: 1, payload: Buffer.concat([Buffer.from([0, 0, 0, 2]), getRoot]) }),
  ),
  frames('a frame of 16 MB', frame(dataFrame, { stream: 1, length: 0xffffff })),
  frames(
    'frames of no known type',
    repeated(5_000, () => frame(0xee, { payload: Buffer.alloc(64) })),
  ),
  frames(
    'the end, then requests',
    frame(goawayFrame, { payload: Buffer.alloc(8) }),
    repeated(100, (i) => frame(headersFrame, { flags: 5, stream: 2 * i + 1, payload: getRoot })),
  ),
  frames('streams by even numbers', frame(headersFrame, { flags: 5, stream: 2, payload: getRoot })),
  frames(
    'HPACK that points nowhere',
    frame(headersFrame, { flags: 5, stream: 1, payload: Buffer.from([0xff, 0xff, 0xff, 0xff, 0x0f]) }),
  ),
  frames(
    'HPACK that resizes its table forever',
    frame(headersFrame, {
      flags: 5,
      stream: 1,
      payload: Buffer.from([...Array.from({ length: 5_000 }, () => 0x20), ...getRoot]),
    }),
  ),
  frames(
    'upper case header names',
    frame(headersFrame, { flags: 5, stream: 1, payload: Buffer.concat([getRoot, literal('X-A', 'b')]) }),
  ),
  frames(
    'a header with line breaks',
    frame(headersFrame, {
      flags: 5,
      stream: 1,
      payload: Buffer.concat([getRoot, literal('x-a', 'b\r\nX-Remote-User: c')]),
    }),
  ),
  frames(
    'connection headers',
    frame(headersFrame, {
      flags: 5,
      stream: 1,
      payload: Buffer.concat([getRoot, literal('connection', 'close'), literal('transfer-encoding', 'chunked')]),
    }),
  ),
  frames(
    'two paths',
    frame(headersFrame, { flags: 5, stream: 1, payload: Buffer.concat([getRoot, Buffer.from([0x84])]) }),
  ),
  frames(
    'a path without a slash',
    frame(headersFrame, {
      flags: 5,
      stream: 1,
      payload: Buffer.concat([Buffer.from([0x82, 0x87, 0x04, 0x01, 0x78, 0x41, 0x01, 0x61])]),
    }),
  ),
  frames('no path', frame(headersFrame, { flags: 5, stream: 1, payload: Buffer.from([0x82, 0x87, 0x41, 0x01, 0x61]) })),
  frames('an answer as a request', frame(headersFrame, { flags: 5, stream: 1, payload: Buffer.from([0x88]) })),
  frames(
    '2,000 streams that say nothing more',
    repeated(2_000, (i) =>
      frame(headersFrame, { flags: 4, stream: 2 * i + 1, payload: Buffer.from([0x83, 0x87, 0x84, 0x41, 0x01, 0x61]) }),
    ),
  ),
  request('HTTP/2: identities in headers', {
    path: '/api/v1/secrets',
    headers: { 'x-remote-user': 'admin', 'x-remote-group': 'system:masters', 'x-kubechain-decision': 'eA==' },
  }),
  request('HTTP/2: CONNECT', { method: 'CONNECT', path: '' }),
  request(
    'HTTP/2: 500 requests at once',
    Array.from({ length: 500 }, () => ({ path: '/api/v1/namespaces/hostile/configmaps' })),
  ),
  request(
    'HTTP/2: 300 watches at once',
    Array.from({ length: 300 }, () => ({ path: '/api/v1/namespaces/hostile/configmaps?watch=true' })),
  ),
  request(
    'HTTP/2: three bodies of 8 MB',
    Array.from({ length: 3 }, () => ({
      method: 'POST',
      path: '/api/v1/namespaces/hostile/configmaps',
      body: 'a'.repeat(8_000_000),
    })),
  ),
];
