import { attack } from './attack-frames.ts';
import { namespaced, post } from './api-requests.ts';
import { httpAnswers } from './http-answers.ts';
import { pour, startRawBackend, type RawAnswer } from './raw-backend.ts';
import { administrator } from './rights.ts';
import type { HostileRow } from './row.ts';
import { ownAddress } from '../harness/own-address.ts';
import { Target, type Outcome } from './target.ts';

const pods = namespaced('pods');
export const webSocket =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ' +
  'AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: v5.channel.k8s.io\r\n';
export const spdy = 'Connection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: v4.channel.k8s.io\r\n';

/** Has a pod, `odd`, whose kubelet answers as it likes, while `use` asks for it. */
export async function withKubelet(
  { port }: Target,
  answer: RawAnswer,
  use: (admin: Target) => Promise<Outcome>,
): Promise<Outcome> {
  const admin = new Target(port, administrator);
  const address = ownAddress();
  const backend = await startRawBackend(answer, address);
  try {
    await admin.http2([
      post(
        '/api/v1/nodes',
        JSON.stringify({
          metadata: { name: 'odd' },
          status: {
            addresses: [{ type: 'InternalIP', address }],
            daemonEndpoints: { kubeletEndpoint: { Port: backend.port } },
          },
        }),
      ),
      post(
        pods,
        JSON.stringify({
          metadata: { name: 'odd' },
          spec: { nodeName: 'odd', containers: [{ name: 'c', image: 'i' }] },
        }),
      ),
    ]);
    return await use(admin);
  } finally {
    await admin.http2([
      { method: 'DELETE', path: `${pods}/odd?gracePeriodSeconds=0` },
      { method: 'DELETE', path: '/api/v1/nodes/odd' },
    ]);
    await backend.stop();
  }
}

/** A pod whose kubelet answers as it likes, and everything that a user may ask of it. */
function kubelet(name: string, answer: RawAnswer): HostileRow {
  return attack(`kubelet: ${name}`, (target) =>
    withKubelet(target, answer, async () => {
      const { statuses, text } = await target.http2([
        { path: `${pods}/odd/log` },
        { path: `${pods}/odd/log?follow=true` },
        { path: `${pods}/odd/log?limitBytes=10` },
      ]);
      await Promise.all(
        [webSocket, spdy].flatMap((upgrade) =>
          ['exec?command=a&stdout=true', 'attach?stdout=true', 'portforward?ports=80'].map((what) =>
            target.raw([`GET ${pods}/odd/${what} HTTP/1.1\r\nHost: a\r\n${target.authorization}${upgrade}\r\n`], {
              quietMs: 1_000,
            }),
          ),
        ),
      );
      // What a kubelet gets wrong is told as a failure of the server, as by kube-apiserver.
      return { statuses: statuses.filter((status) => status < 500), text };
    }),
  );
}

const upgraded = (protocol: string): string =>
  `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n` +
  'X-Stream-Protocol-Version: v4.channel.k8s.io\r\nSec-WebSocket-Accept: ICX+Yqv66kxgM0FcWaLWlFLwTAI=\r\n' +
  'Sec-WebSocket-Protocol: v5.channel.k8s.io\r\n\r\n';

/** Pours the same after the change of protocols that was asked for. */
export const streams =
  (piece: Buffer): RawAnswer =>
  (socket, head) => {
    socket.write(upgraded(/upgrade: websocket/i.test(head) ? 'websocket' : 'SPDY/3.1'));
    pour(socket, piece);
  };

/** Kubelets that mean no good. */
export const kubeletRows: readonly HostileRow[] = [
  ...[...httpAnswers].map(([name, answer]) => kubelet(name, answer)),
  kubelet('frames of nothing without an end', streams(Buffer.alloc(1 << 16))),
  kubelet('frames of SPDY without an end', streams(Buffer.alloc(1 << 16, '8003000600000004deadbeef', 'hex'))),
  kubelet('streams of SPDY without an end', streams(Buffer.alloc(1 << 16, '8003000100000000', 'hex'))),
  kubelet('data of no stream without an end', streams(Buffer.alloc(1 << 16, '000000070000000161', 'hex'))),
  kubelet('messages of WebSocket without an end', streams(Buffer.alloc(1 << 16, '82020161', 'hex'))),
  kubelet('a message of WebSocket of 2^62 bytes', streams(Buffer.from('827f4000000000000000', 'hex'))),
  kubelet('pings without an end', streams(Buffer.alloc(1 << 16, '890161', 'hex'))),
];
