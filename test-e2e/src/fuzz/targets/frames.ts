import { SpdyReader, WebSocketReader, dataFrame, pingFrame, resetFrame } from '@kubechain/apiserver/testing';
import type { FuzzRandom } from '../fuzz-random.ts';
import { FuzzFailure, type FuzzTarget } from '../fuzz-target.ts';

/** Frames of WebSockets and of SPDY: they mean the same however they are cut, and nothing makes a reader fail. */
export const frames: FuzzTarget = {
  name: 'frames',
  about: 'frames of WebSockets and SPDY: the same however they are cut, never an exception',
  shareOfCI: 5_000,
  open: () => ({
    attempt: (random, input) => {
      const protocol = random.pick(['WebSocket', 'SPDY'] as const);
      const sound = Buffer.concat(random.list(8, () => (protocol === 'SPDY' ? spdy(random) : webSocket(random))));
      const bytes = Buffer.from(random.chance(2) ? random.mutate(sound) : sound);
      input(bytes);
      const read = protocol === 'SPDY' ? readSpdy : readWebSocket;
      const whole = read([bytes]);
      const parts: Buffer[] = [];
      for (let at = 0; at < bytes.length;) {
        const size = 1 + random.below(random.chance(2) ? 4 : bytes.length);
        parts.push(bytes.subarray(at, at + size));
        at += size;
      }
      const cut = read(parts);
      if (cut !== whole) throw new FuzzFailure(`${protocol} means ${cut} when it is cut, ${whole} otherwise`);
    },
  }),
};

function webSocket(random: FuzzRandom): Buffer {
  const payload = Buffer.from(random.bytes(random.chance(10) ? 70_000 : 140));
  const mask = Buffer.from(random.chance(3) ? [0, 0, 0, 0] : random.bytes(4));
  const masked = random.chance(20) ? 0 : 0x80;
  const first = (random.chance(3) ? 0 : 0x80) | random.pick([0, 1, 2, 2, 9, 10, 8, random.below(16)]);
  const { length } = payload;
  const head =
    length < 126
      ? Buffer.from([first, masked | length])
      : Buffer.from([first, masked | 126, (length >> 8) & 0xff, length & 0xff]);
  const keyed = Buffer.concat([mask, Buffer.alloc(4)]).subarray(0, 4);
  return Buffer.concat([head, masked === 0 ? Buffer.alloc(0) : keyed, payload]);
}

function readWebSocket(parts: readonly Buffer[]): string {
  const seen: string[] = [];
  const reader = new WebSocketReader({
    message: (payload, kind) => seen.push(`${kind} ${payload.toString('hex')}`),
    ping: (payload) => seen.push(`ping ${payload.toString('hex')}`),
    closed: (reason) => seen.push(reason),
  });
  for (const part of parts) reader.push(part);
  return seen.join('\n');
}

function spdy(random: FuzzRandom): Buffer {
  const stream = random.below(6);
  switch (random.below(5)) {
    case 0:
      return pingFrame(random.below(9));
    case 1:
      return resetFrame(stream);
    case 2: {
      const frame = Buffer.concat([pingFrame(stream), Buffer.from(random.bytes(30))]);
      frame.writeUInt16BE(random.below(12), 2);
      frame.writeUIntBE(frame.length - 8, 5, 3);
      return frame;
    }
    default:
      return dataFrame(stream, random.bytes(60), random.chance(2));
  }
}

/** Data is joined: how it is cut is not what it means. */
function readSpdy(parts: readonly Buffer[]): string {
  const seen: string[] = [];
  const reader = new SpdyReader({
    reply: (stream) => seen.push(`reply ${stream}`),
    data: (stream, chunk) => {
      const name = `data ${stream} `;
      const last = seen.length - 1;
      if (seen[last]?.startsWith(name) === true) seen[last] += chunk.toString('hex');
      else if (chunk.length > 0) seen.push(name + chunk.toString('hex'));
    },
    end: (stream) => seen.push(`end ${stream}`),
    reset: (stream) => seen.push(`reset ${stream}`),
    ping: (id) => seen.push(`ping ${id}`),
  });
  for (const part of parts) reader.push(part);
  return seen.join('\n');
}
