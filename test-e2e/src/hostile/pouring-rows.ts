import { connect as connectHTTP2 } from 'node:http2';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTLS, type TLSSocket } from 'node:tls';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { mergePatch, namespaced, patch, post } from './api-requests.ts';
import { attack } from './attack-frames.ts';
import { ownAddress } from '../harness/own-address.ts';
import { httpAnswers } from './http-answers.ts';
import { spdy, streams, webSocket, withKubelet } from './kubelet-rows.ts';
import { pour, startRawBackend, type RawAnswer } from './raw-backend.ts';
import type { HostileRow } from './row.ts';
import type { Outcome, Target } from './target.ts';

const pods = namespaced('pods');
const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

/** Reads answers over one connection of HTTP/2, each other one slowly; those that are there no longer after `ms` end. */
async function read(target: Target, paths: readonly string[], ms: number): Promise<void> {
  const session = connectHTTP2(`https://127.0.0.1:${target.port}`, { rejectUnauthorized: false });
  session.on('error', () => undefined).setMaxListeners(0);
  for (const [i, path] of paths.entries()) {
    const stream = session.request({ ':path': path, authorization: `Bearer ${target.token}` });
    stream.on('error', () => undefined);
    stream.on('data', () => {
      if (i % 2 === 0) return;
      stream.pause();
      setTimeout(() => stream.resume(), 50);
    });
    stream.end();
  }
  await delay(ms);
  session.destroy();
}

/** Opens upgrades over connections of their own, and reads each other one slowly. */
async function upgraded(target: Target, asked: readonly string[], ms: number): Promise<void> {
  const sockets: TLSSocket[] = asked.map((head, i) => {
    const socket = connectTLS({ host: '127.0.0.1', port: target.port, rejectUnauthorized: false });
    socket.on('error', () => undefined);
    socket.on('data', () => {
      if (i % 2 === 0) return;
      socket.pause();
      setTimeout(() => socket.resume(), 50);
    });
    socket.write(head);
    return socket;
  });
  await delay(ms);
  for (const socket of sockets) socket.destroy();
}

/** A kubelet that pours, and hundreds who read it, slow and fast. */
function poured(name: string, answer: RawAnswer, use: (target: Target) => Promise<void>): HostileRow {
  return attack(`pouring: ${name}`, (target) =>
    withKubelet(target, answer, async () => {
      await use(target);
      return { statuses: [], text: '' };
    }),
  );
}

/** A pod of the ordinary user that answers as it likes, asked by its proxy so many times at once. */
function proxied(name: string, answer: RawAnswer, times = 1): HostileRow {
  return attack(`pod proxy: ${name}`, async (target): Promise<Outcome> => {
    const address = ownAddress();
    const backend = await startRawBackend(answer, address);
    try {
      const spec = { nodeName: 'nowhere', containers: [{ name: 'c', image: 'i' }] };
      const status = { podIP: address, podIPs: [{ ip: address }] };
      await target.http2([post(pods, JSON.stringify({ metadata: { name: 'odd' }, spec }))]);
      await target.http2([patch(mergePatch, JSON.stringify({ status }), `${pods}/odd/status`)]);
      const path = `${pods}/https:odd:${backend.port}/proxy/a`;
      const { text } = await target.http2(
        many(times, (i) => ({ path, ...(i % 2 === 0 ? {} : { headers: { 'accept-encoding': 'gzip, deflate' } }) })),
      );
      // What is answered is the pod's.
      return { statuses: [], text };
    } finally {
      await target.http2([{ method: 'DELETE', path: `${pods}/odd?gracePeriodSeconds=0` }]);
      await backend.stop();
    }
  });
}

const lines = 'a line of a log, as they are poured out\n'.repeat(1_000);
const chunk = `${lines.length.toString(16)}\r\n${lines}\r\n`;
const shortChunk = '5\r\nline\n\r\n'.repeat(2_000);
const chunked = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n';
const pouring =
  (head: string, piece: string): RawAnswer =>
  (socket) => {
    socket.write(head);
    pour(socket, piece);
  };
const followed = async (target: Target): Promise<void> => {
  await Promise.all(many(15, () => read(target, Array(20).fill(`${pods}/odd/log?follow=true`) as string[], 3_500)));
};
const commands =
  (what: string, upgrade: string) =>
  (target: Target): Promise<void> =>
    upgraded(
      target,
      Array(200).fill(
        `GET ${pods}/odd/${what} HTTP/1.1\r\nHost: a\r\n${target.authorization}${upgrade}\r\n`,
      ) as string[],
      3_500,
    );
/** A frame of WebSocket of 16 KB of output. */
const output = Buffer.concat([Buffer.from('827e400101', 'hex'), Buffer.alloc(16_384, 'o')]);

/** One answer with this body, whole. */
function whole(fields: string, make: () => Buffer): RawAnswer {
  let body: Buffer | undefined;
  return (socket) => {
    body ??= make();
    socket.write(`HTTP/1.1 200 OK\r\n${fields}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n`);
    socket.end(body);
  };
}
const html = 'Content-Type: text/html\r\n';
const json = 'Content-Type: application/json\r\n';
const packed = 'Content-Encoding: gzip\r\n';
/** A page of so many bytes of links. */
const links = (bytes: number): Buffer => Buffer.alloc(bytes, '<a href="/a/b/c?d">x</a>');

/** Kubelets and pods from which more comes than anybody wants. */
export const pouringRows: readonly HostileRow[] = [
  poured('300 logs that are followed', pouring(chunked, chunk), followed),
  poured('300 logs of short lines, each a chunk', pouring(chunked, shortChunk), followed),
  poured(
    '200 commands over WebSocket',
    streams(Buffer.concat(Array<Buffer>(4).fill(output))),
    commands('exec?command=a&stdout=true', webSocket),
  ),
  poured(
    '200 forwarded ports over WebSocket',
    streams(Buffer.concat(Array<Buffer>(4).fill(output))),
    commands('portforward?ports=80', webSocket.replace('v5', 'v4')),
  ),
  poured('200 forwarded ports over SPDY', streams(Buffer.alloc(1 << 16, 'o')), commands('portforward', spdy)),
  ...[...httpAnswers].map(([name, answer]) => proxied(name, answer, 10)),
  proxied(
    'a gigabyte of packed zeros, 10 times',
    whole(json + packed, () => gzipSync(Buffer.alloc(1 << 30))),
    10,
  ),
  proxied(
    'a page of 200 MB, packed, 10 times',
    whole(html + packed, () => gzipSync(links(200 << 20))),
    10,
  ),
  proxied(
    'a page of 200 MB, packed by deflate, 10 times',
    whole(`${html}Content-Encoding: deflate\r\n`, () => deflateRawSync(links(200 << 20))),
    10,
  ),
  proxied(
    'pages of 7 MB of links, 10 times',
    whole(html, () => links(7 << 20)),
    10,
  ),
  proxied(
    'packed pages of 7 MB of links, 10 times',
    whole(html + packed, () => gzipSync(links(7 << 20))),
    10,
  ),
  proxied(
    'a page packed in 400,000 empty pieces, 10 times',
    whole(html + packed, () => Buffer.concat(Array<Buffer>(400_000).fill(gzipSync('')))),
    10,
  ),
];
