import { gzipSync } from 'node:zlib';
import { configMaps, post } from './api-requests.ts';
import { attack } from './attack-frames.ts';
import { httpAnswers } from './http-answers.ts';
import { drip, pour, startRawBackend, type RawAnswer, type RawBackend } from './raw-backend.ts';
import type { HostileRow } from './row.ts';
import { Target } from './target.ts';

/** Who says who callers are, what they may do, and who is told of it: all of them at once. */
export interface Peers {
  readonly port: number;
  readonly certificate: string;
  /** How they answer from now on. */
  answer: RawAnswer;
  stop(): Promise<void>;
}

/** One server for all of them, which answers as the row wants it. */
export async function startPeers(): Promise<Peers> {
  let answer: RawAnswer = (socket) => void socket.end('HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n');
  const backend: RawBackend = await startRawBackend((socket, head, reset) => {
    answer(socket, head, reset);
  });
  return {
    port: backend.port,
    certificate: backend.certificate,
    stop: () => backend.stop(),
    set answer(given: RawAnswer) {
      answer = given;
    },
    get answer() {
      return answer;
    },
  };
}

const ok = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const json = (text: string | Buffer, fields = ''): RawAnswer => {
  return (socket) => {
    socket.write(`${ok}${fields}Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n`);
    socket.end(text);
  };
};
/** What is read as either review, and as keys and an issuer. */
const review =
  (status: string): RawAnswer =>
  (socket, head) => {
    const kind = /\/authn/.test(head.split('\r\n')[0] ?? '') ? 'authentication.k8s.io/v1' : 'authorization.k8s.io/v1';
    const name = kind.startsWith('authentication') ? 'TokenReview' : 'SubjectAccessReview';
    json(`{"apiVersion":"${kind}","kind":"${name}","status":${status}}`)(socket, head, () => undefined);
  };

const answers = new Map<string, () => RawAnswer>([
  ...[...httpAnswers].map(([name, answer]): [string, () => RawAnswer] => [name, () => answer]),
  ['32 MB of packed zeros', () => json(gzipSync(Buffer.alloc(1 << 25)), 'Content-Encoding: gzip\r\n')],
  ['4 MB of brackets', () => json('['.repeat(4_000_000))],
  ['objects of 100,000 levels', () => json('{"status":'.repeat(100_000) + '1' + '}'.repeat(100_000))],
  [
    'a gigabyte of blanks',
    () => (socket) => {
      socket.write(`${ok}Content-Length: 1000000000\r\n\r\n`);
      pour(socket, ' '.repeat(1 << 18));
    },
  ],
  [
    'a review that comes letter by letter',
    () => (socket) => {
      socket.write(`${ok}Content-Length: 100000\r\n\r\n`);
      drip(socket, `{"apiVersion":"authentication.k8s.io/v1","status":"${'x'.repeat(1_000)}`);
    },
  ],
  [
    'later, it says, for ever',
    () => (socket) =>
      void socket.end('HTTP/1.1 429 Later\r\nRetry-After: 0\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'),
  ],
  [
    'a redirect to the metadata of a cloud',
    () => (socket) =>
      void socket.end('HTTP/1.1 307 There\r\nLocation: http://169.254.169.254/latest/\r\nContent-Length: 0\r\n\r\n'),
  ],
  ['nothing at all', () => () => undefined],
  [
    'somebody of 50,000 groups',
    () =>
      review(
        JSON.stringify({
          authenticated: true,
          user: { username: 'a', groups: Array.from({ length: 50_000 }, (_, i) => `g${i}`) },
        }),
      ),
  ],
  [
    'somebody whose name is a megabyte',
    () => review(JSON.stringify({ authenticated: true, user: { username: 'n'.repeat(1_000_000) } })),
  ],
  [
    'somebody with lines and controls in the name',
    () =>
      review(
        JSON.stringify({
          authenticated: true,
          user: { username: 'a\r\nE0101 forged\u001b[2J\u0000', groups: ['\n'], extra: { '\n': ['\r\n'] } },
        }),
      ),
  ],
  [
    'somebody whose extras are prototypes',
    () => review('{"authenticated":true,"user":{"username":"a","extra":{"__proto__":["a"],"constructor":["b"]}}}'),
  ],
  ['somebody who is a list', () => review('{"authenticated":true,"user":["a"],"allowed":[]}')],
  ['allowed and denied at once', () => review('{"allowed":true,"denied":true,"authenticated":false}')],
  ['a reason of two megabytes', () => review(JSON.stringify({ allowed: false, reason: 'r'.repeat(2_000_000) }))],
]);

/** What is said where a peer does not do its part, by the reference as well. */
const ofPeer = /Internal (?:Server Error|error)|"reason":"(?:Unauthorized|Forbidden)"/;

/** Requests by tokens that only the webhook knows, and for what only the webhook could allow. */
function peerRow(peers: () => Peers, name: string, make: () => RawAnswer): HostileRow {
  return attack(`peers: ${name}`, async (target) => {
    peers().answer = make();
    const asked = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        new Target(target.port, `unknown-${name}-${i}`.replaceAll(/[^a-z0-9-]/g, '')).http2([
          { path: '/api/v1/nodes' },
          post(configMaps, '{"metadata":{"generateName":"h-"}}'),
        ]),
      ),
    );
    const own = await target.http2([
      { path: '/api/v1/nodes' },
      { path: '/api/v1/secrets' },
      { path: configMaps },
      post(`${configMaps}?dryRun=All`, '{"metadata":{"generateName":"h-"},"data":{"a":"b"}}'),
    ]);
    const odd = [...asked, own].filter(({ statuses, text }) => statuses.some((s) => s >= 500) && !ofPeer.test(text));
    return { statuses: odd.flatMap(({ statuses }) => statuses), text: odd[0]?.text ?? '' };
  });
}

/** Each answer that a peer might give. */
export const peerRows = (peers: () => Peers): readonly HostileRow[] =>
  [...answers].map(([name, make]) => peerRow(peers, name, make));
