import {
  hpackHeaders,
  hpackLiteral,
  http2Flags,
  http2Frame,
  http2FrameTypes,
  http2Preface,
} from '@kubechain/apiserver/testing';
import type { FuzzRandom } from '../fuzz-random.ts';
import { FuzzFailure, type FuzzTarget } from '../fuzz-target.ts';
import { FuzzedChain } from '../fuzzed-chain.ts';
import { anyRequest, type FuzzedRequest } from '../request-parts.ts';

const quietMs = 150;
const answeredMs = 10_000;
const { data, headers, ping, reset } = http2FrameTypes;
const { endHeaders, endStream } = http2Flags;
/** Sent last; its answer says that all before it was read. */
const lastPing = http2Frame(ping, { payload: Buffer.from('the last') });
const acknowledged = 1;
/** Answers are long, and nothing is granted later. */
const wideWindows = [
  http2Frame(http2FrameTypes.settings, { payload: Buffer.from([0, 4, 0x7f, 0xff, 0xff, 0xff]) }),
  http2Frame(http2FrameTypes.window, { payload: Buffer.from([0x7f, 0xff, 0, 0]) }),
];
/** `:status: 500` in HPACK (RFC 7541, appendix A). */
const status500 = 0x8e;

/** Frames of HTTP/2 against a running chain: ten requests on a connection, right or nearly so. */
export const http2: FuzzTarget = {
  name: 'http2',
  about: 'frames of HTTP/2 to a running chain: no 500, nothing of others, nobody waits, no process ends',
  shareOfCI: 300,
  open: async () => {
    const chain = await FuzzedChain.start();
    return {
      attempt: async (random, input) => {
        const sound = !random.chance(3);
        const requests = random.list(9, () => anyRequest(random));
        const frames = requests.flatMap((request, i) => written(request, 2 * i + 1, random));
        const noise = sound ? [] : random.list(5, () => anyFrame(random));
        const all = [...wideWindows, ...mixed(random, frames, noise), lastPing];
        const rest = Buffer.concat(all);
        const sent = Buffer.concat([Buffer.from(http2Preface), sound ? rest : random.mutate(rest)]);
        input(sent);
        const received = await chain.send(sent, {
          protocol: 'h2',
          quietMs: sound ? answeredMs : quietMs,
          isWhole: (bytes) => openStreams(bytes, requests.length) === 0,
        });
        chain.judge(received.bytes);
        const answers = framesOf(received.bytes).filter(({ type }) => type === headers);
        // These may be answered so by the reference, too; frames may have cut them in two.
        const own = ['watch', 'resourceVersion=9'].some(
          (part) => sent.includes(part) || requests.some(({ target }) => target.includes(part)),
        );
        if (!own && answers.some(({ payload }) => payload[0] === status500)) throw new FuzzFailure('answers 500');
        const left = openStreams(received.bytes, requests.length);
        if (sound && left > 0) throw new FuzzFailure(`${left} of ${requests.length} requests are not answered`);
        await chain.expectWell();
      },
      close: () => chain.close(),
    };
  },
};

function written(
  { body, headers: fields, method, target }: FuzzedRequest,
  stream: number,
  random: FuzzRandom,
): Buffer[] {
  const block = Buffer.concat([
    hpackHeaders({ ':method': method, ':scheme': 'https', ':authority': 'a', ':path': target }),
    ...fields.map(([name, value]) => hpackLiteral(name, value)),
  ]);
  const ends = body === undefined ? endStream : 0;
  const cut = random.chance(5) ? random.below(block.length) : block.length;
  const head =
    cut === block.length
      ? [http2Frame(headers, { flags: endHeaders | ends, stream, payload: block })]
      : [
          Buffer.concat([
            http2Frame(headers, { flags: ends, stream, payload: block.subarray(0, cut) }),
            http2Frame(http2FrameTypes.continuation, { flags: endHeaders, stream, payload: block.subarray(cut) }),
          ]),
        ];
  if (body === undefined) return head;
  const payload = Buffer.from(body, 'latin1');
  const half = random.below(payload.length + 1);
  return [
    ...head,
    http2Frame(data, { stream, payload: payload.subarray(0, half) }),
    http2Frame(data, { flags: endStream, stream, payload: payload.subarray(half) }),
  ];
}

function anyFrame(random: FuzzRandom): Buffer {
  const type = random.chance(5) ? random.below(256) : random.pick(Object.values(http2FrameTypes));
  const payload = random.bytes(random.pick([0, 4, 5, 6, 8, 8, 30]));
  return http2Frame(type, {
    flags: random.chance(3) ? random.below(256) : random.pick([0, 1, 4, 5]),
    stream: random.below(24),
    payload: type === reset ? Buffer.from([0, 0, 0, random.below(14)]) : payload,
    ...(random.chance(10) ? { length: random.below(20_000) } : {}),
  });
}

/** `noise` at any places between `frames`, whose order stays. */
function mixed(random: FuzzRandom, frames: readonly Buffer[], noise: readonly Buffer[]): Buffer[] {
  const all = [...frames];
  for (const frame of noise) all.splice(random.below(all.length + 1), 0, frame);
  return all;
}

interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

function framesOf(bytes: Buffer): Frame[] {
  const frames: Frame[] = [];
  for (let at = 0; at + 9 <= bytes.length;) {
    const end = at + 9 + bytes.readUIntBE(at, 3);
    if (end > bytes.length) break;
    const [type, flags] = [bytes[at + 3] as number, bytes[at + 4] as number];
    frames.push({ type, flags, stream: bytes.readUInt32BE(at + 5), payload: bytes.subarray(at + 9, end) });
    at = end;
  }
  return frames;
}

/** How many of the first `count` streams have not been answered to their end, or the ping that came after them. */
function openStreams(bytes: Buffer, count: number): number {
  const frames = framesOf(bytes);
  const ended = new Set(
    frames
      .filter(({ flags, type }) => type === reset || ((type === headers || type === data) && (flags & endStream) !== 0))
      .map(({ stream }) => stream),
  );
  const answered = frames.some(({ flags, type }) => type === ping && (flags & acknowledged) !== 0);
  return count - ended.size + (answered ? 0 : 1);
}
