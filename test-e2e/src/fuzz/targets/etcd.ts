import { startEmbeddedEtcd } from '@kubechain/embedded-etcd';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';
import { connect as connectSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FuzzRandom } from '../fuzz-random.ts';
import { FuzzFailure, type FuzzTarget } from '../fuzz-target.ts';

/** Calls, and what goes into them: field numbers, and what they hold. */
type Shape = readonly (readonly [number, 'integer' | 'key' | 'bytes' | Shape])[];

const range: Shape = [
  [1, 'key'],
  [2, 'key'],
  ...[3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13].map((field) => [field, 'integer'] as const),
];
const put: Shape = [
  [1, 'key'],
  [2, 'bytes'],
  [3, 'integer'],
  [4, 'integer'],
  [5, 'integer'],
  [6, 'integer'],
];
const deleteRange: Shape = [
  [1, 'key'],
  [2, 'key'],
  [3, 'integer'],
];
const compare: Shape = [
  [1, 'integer'],
  [2, 'integer'],
  [3, 'key'],
  [4, 'integer'],
  [5, 'integer'],
  [6, 'integer'],
  [7, 'bytes'],
  [8, 'integer'],
  [64, 'key'],
];
const flatTxn: Shape = [[1, compare]];
const operation: Shape = [
  [1, range],
  [2, put],
  [3, deleteRange],
  [4, flatTxn],
];
const txn: Shape = [
  [1, compare],
  [2, operation],
  [3, operation],
];
const watch: Shape = [
  [
    1,
    [
      [1, 'key'],
      [2, 'key'],
      [3, 'integer'],
      [4, 'integer'],
      [5, 'integer'],
      [6, 'integer'],
      [7, 'integer'],
      [8, 'integer'],
    ],
  ],
  [2, [[1, 'integer']]],
  [3, []],
];
const lease: Shape = [
  [1, 'integer'],
  [2, 'integer'],
];
const calls: readonly (readonly [string, Shape])[] = [
  ['KV/Range', range],
  ['KV/Put', put],
  ['KV/DeleteRange', deleteRange],
  ['KV/Txn', txn],
  ['KV/Txn', txn],
  ['KV/Compact', lease],
  ['Watch/Watch', watch],
  ['Watch/Watch', watch],
  ['Lease/LeaseGrant', lease],
  ['Lease/LeaseRevoke', lease],
  ['Lease/LeaseKeepAlive', lease],
  ['Lease/LeaseTimeToLive', lease],
  ['Lease/LeaseLeases', []],
  ['Cluster/MemberList', lease],
  ['Maintenance/Status', []],
  ['Maintenance/HashKV', lease],
  ['Maintenance/Snapshot', []],
  ['Auth/AuthStatus', []],
  ['KV/Nothing', range],
];
const pathOf = (name: string): string => `/etcdserverpb.${name}`;
const joinedPath = '/kubechain.v1.Calls/Join';
/** How long a stream is left open. */
const streamMs = 30;
const answeredMs = 10_000;
/** gRPC's status for what went wrong in the server; for messages that cannot be read as well. */
const internal = '13';

/** Bytes of gRPC against the embedded store: messages that are right or nearly so. */
export const etcd: FuzzTarget = {
  name: 'etcd',
  about:
    'calls of etcd to the embedded store, alone, joined and over connections of one call: answered or refused as by ' +
    'etcd, what is stored is in order',
  shareOfCI: 2_000,
  open: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kubechain-fuzz-etcd-'));
    const store = await startEmbeddedEtcd({
      dataFile: join(folder, 'etcd.db'),
      socketPath: join(folder, 'etcd.sock'),
      unsafeNoFsync: true,
    });
    const open = (): ClientHttp2Session =>
      connect('http://localhost', { path: join(folder, 'etcd.sock') }).on('error', () => undefined);
    let session = open();
    let written = 0;
    return {
      attempt: async (random, input) => {
        if (session.destroyed || session.closed) session = open();
        if (random.chance(4)) {
          if (random.chance(2)) await joined(session, random, input);
          else await overFrames(join(folder, 'etcd.sock'), random, input);
          await readsWhatItWrites(session, Buffer.from(`v${written++}`));
          return;
        }
        const [name, shape] = random.pick(calls);
        const messages = [framed(random, message(random, shape, 0))];
        if (name.startsWith('Watch/') || random.chance(5))
          messages.push(...random.list(4, () => framed(random, message(random, shape, 0))));
        const sound = Buffer.concat(messages);
        const bytes = random.chance(3) ? Buffer.from(random.mutate(sound)) : sound;
        input(`${name} ${bytes.toString('base64')}`);
        const streams = name === 'Watch/Watch' || name === 'Lease/LeaseKeepAlive';
        const answer = await call(session, pathOf(name), bytes, { stream: streams });
        if (answer.status === internal && answer.message.startsWith('embedded-etcd:'))
          throw new FuzzFailure(`refuses with ${answer.message}`);
        if (answer.status === undefined && !streams) throw new FuzzFailure('does not answer');
        await readsWhatItWrites(session, Buffer.from(`v${written++}`));
      },
      close: async () => {
        session.destroy();
        await store.close();
        rmSync(folder, { recursive: true });
      },
    };
  },
};

/** Calls that share a stream: some nobody can make, heads and frames nearly right. */
async function joined(session: ClientHttp2Session, random: FuzzRandom, input: (shown: string) => void): Promise<void> {
  const sound = random.chance(2);
  const requests = joinedRequests(random, sound);
  const bytes = Buffer.concat(requests);
  const sent = sound || random.chance(2) ? bytes : Buffer.from(random.mutate(bytes));
  input(`${joinedPath} ${sent.toString('base64')}`);
  const { data, status } = await call(session, joinedPath, sent, {});
  if (status === undefined) throw new FuzzFailure('does not answer');
  const replies = countReplies(data);
  if (sound && (status !== '0' || replies !== requests.length))
    throw new FuzzFailure(`answers ${replies} of ${requests.length} calls, and ends with ${status}`);
}

function joinedRequests(random: FuzzRandom, sound: boolean): Buffer[] {
  return [0, ...random.list(20, () => random.integer())].map((number) => {
    const [name, shape] = random.pick(calls);
    const path = Buffer.from(pathOf(name));
    const head = Buffer.alloc(5);
    head.writeInt32BE(number | 0, 0);
    head.writeUInt8(!sound && random.chance(10) ? random.below(256) : path.length, 4);
    const request = Buffer.concat([head, path, message(random, shape, 0)]);
    return sound ? frame(request) : framed(random, request);
  });
}

/** @throws FuzzFailure where a reply says that something went wrong in the server */
function countReplies(data: Buffer): number {
  let replies = 0;
  for (let at = 0; at < data.length; at += 5 + data.readUInt32BE(at + 1), replies++)
    if (data[at + 9] === Number(internal) && data.toString('latin1', at + 10, at + 24) === 'embedded-etcd:')
      throw new FuzzFailure(`refuses with ${data.toString('latin1', at + 10, at + 100)}`);
  return replies;
}

/** What ends such a connection from a client's side. */
const endFrame = Buffer.from([5, 0, 0, 0, 0]);

/** The same over a connection of their own (docs/store-calls.md), in pieces; at times the head of HTTP is not right. */
async function overFrames(socketPath: string, random: FuzzRandom, input: (shown: string) => void): Promise<void> {
  const sound = random.chance(2);
  const requests = joinedRequests(random, sound);
  const pings = sound ? [] : random.list(4, () => Buffer.from([random.below(8), 0, 0, 0, random.below(3)]));
  const head = Buffer.from(
    `GET ${joinedPath} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: kubechain-calls/1\r\n\r\n`,
  );
  const body = Buffer.concat([...requests, ...pings, endFrame]);
  const all = Buffer.concat([
    sound || random.chance(2) ? head : Buffer.from(random.mutate(head)),
    sound || random.chance(2) ? body : Buffer.from(random.mutate(body)),
  ]);
  const at = random.below(all.length + 1);
  input(`${at} ${all.toString('base64')}`);
  const pieces = [all.subarray(0, at), all.subarray(at)];
  const { data, isClosed } = await spoken(socketPath, pieces, sound);
  if (!isClosed) throw new FuzzFailure('does not end a connection whose client has gone');
  if (!sound) return;
  const begin = data.indexOf('\r\n\r\n') + 4;
  // The last frame says how it ended: a status behind its five bytes.
  const end = data.subarray(-6);
  const replies = countReplies(data.subarray(begin, -6));
  if (!end.equals(Buffer.from([5, 0, 0, 0, 1, 0])) || replies !== requests.length)
    throw new FuzzFailure(`answers ${replies} of ${requests.length} calls, and ends with ${end.toString('hex')}`);
}

interface Spoken {
  readonly data: Buffer;
  readonly isClosed: boolean;
}

/** @param sound the server ends the connection; else the client does, when nothing more comes */
function spoken(path: string, pieces: readonly Buffer[], sound: boolean): Promise<Spoken> {
  return new Promise((resolve) => {
    const socket = connectSocket(path);
    const chunks: Buffer[] = [];
    const finish = (isClosed: boolean): void => {
      clearTimeout(timer);
      clearTimeout(patience);
      resolve({ data: Buffer.concat(chunks), isClosed });
      socket.destroy();
    };
    const timer = setTimeout(() => finish(false), answeredMs);
    const patience = setTimeout(() => socket.end(), sound ? answeredMs : streamMs);
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      patience.refresh();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => finish(true));
    for (const piece of pieces) socket.write(piece);
  });
}

/** Whatever came before it. */
async function readsWhatItWrites(session: ClientHttp2Session, value: Buffer): Promise<void> {
  const key = Buffer.from('\xffcanary', 'latin1');
  const stored = await call(session, pathOf('KV/Put'), frame(Buffer.concat([field(1, key), field(2, value)])), {});
  const read = await call(session, pathOf('KV/Range'), frame(field(1, key)), {});
  if (stored.status !== '0' || read.status !== '0' || !read.data.includes(value))
    throw new FuzzFailure(`a write gets ${stored.status} ${stored.message}, its read ${read.status} ${read.message}`);
}

interface Answered {
  readonly status: string | undefined;
  readonly message: string;
  readonly data: Buffer;
}

function call(
  session: ClientHttp2Session,
  path: string,
  body: Buffer,
  options: { readonly stream?: boolean },
): Promise<Answered> {
  return new Promise((resolve) => {
    const stream = session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    let headers: IncomingHttpHeaders = {};
    const chunks: Buffer[] = [];
    const finish = (): void => {
      clearTimeout(timer);
      resolve({
        status: headers['grpc-status'] as string | undefined,
        message: decodeURIComponent(String(headers['grpc-message'] ?? '')),
        data: Buffer.concat(chunks),
      });
      stream.destroy();
    };
    const timer = setTimeout(finish, options.stream === true ? streamMs : answeredMs);
    stream.on('response', (head) => (headers = { ...headers, ...head }));
    stream.on('trailers', (trailers) => (headers = { ...headers, ...trailers }));
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('error', () => undefined);
    stream.on('close', finish);
    if (options.stream === true) stream.write(body);
    else stream.end(body);
  });
}

/** Some of a shape's fields, some twice, some as something else. */
function message(random: FuzzRandom, shape: Shape, depth: number): Buffer {
  if (shape.length === 0) return Buffer.alloc(0);
  return Buffer.concat(
    random.list(6, () => {
      const [number, kind] = random.pick(shape);
      const what = random.chance(30) ? 'bytes' : kind;
      switch (what) {
        case 'integer':
          return Buffer.concat([varint(BigInt(number * 8)), varint(BigInt(random.integer()))]);
        case 'key':
          return field(number, anyKey(random));
        case 'bytes':
          return field(number, random.bytes(random.chance(20) ? 5_000 : 20));
        default:
          return field(number, message(random, what, depth + 1));
      }
    }),
  );
}

function anyKey(random: FuzzRandom): Uint8Array {
  if (random.chance(4)) return Buffer.from([0]);
  if (random.chance(10)) return random.bytes(300);
  return Buffer.from(random.pick(['a', 'b', 'c', '/registry/', '/registry/pods/', 'é', '\0', '']) + random.below(4));
}

function framed(random: FuzzRandom, payload: Buffer): Buffer {
  const whole = frame(payload);
  if (random.chance(20)) whole[0] = random.below(256);
  if (random.chance(20)) whole.writeUInt32BE(random.below(2 ** 31), 1);
  return whole;
}

function frame(payload: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(payload.length, 1);
  return Buffer.concat([head, payload]);
}

function field(number: number, payload: Uint8Array): Buffer {
  return Buffer.concat([varint(BigInt(number * 8 + 2)), varint(BigInt(payload.length)), payload]);
}

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return Buffer.from([...bytes, Number(rest)]);
}
