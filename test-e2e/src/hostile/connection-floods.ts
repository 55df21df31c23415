import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { attack } from './attack-frames.ts';
import type { HostileRow } from './row.ts';
import type { Outcome, Target } from './target.ts';

const nothing: Outcome = { statuses: [], text: '' };

/** Bare connections, before any handshake. */
async function bare(target: Target, count: number, say: (socket: Socket) => void, holdMs: number): Promise<Outcome> {
  const sockets = Array.from({ length: count }, () =>
    connect({ host: '127.0.0.1', port: target.port }).on('error', () => undefined),
  );
  for (const socket of sockets) socket.once('connect', () => say(socket));
  await delay(holdMs);
  for (const socket of sockets) socket.destroy();
  return nothing;
}

/** The beginning of a ClientHello that says that 16 KB follow. */
const helloHead = Buffer.from('16030140000100', 'hex');

/** Connections that cost the server and say next to nothing. */
export const connectionFloods: readonly HostileRow[] = [
  attack('2,000 connections without a handshake', (target) => bare(target, 2_000, () => undefined, 3_000), 'nobody'),
  attack(
    '2,000 handshakes that stop after their first bytes',
    (target) => bare(target, 2_000, (socket) => socket.write(helloHead), 3_000),
    'nobody',
  ),
  attack(
    '1,000 handshakes that come byte by byte',
    (target) =>
      bare(
        target,
        1_000,
        (socket) => {
          let at = 0;
          const timer = setInterval(() => {
            if (socket.destroyed || at === helloHead.length) clearInterval(timer);
            else socket.write(helloHead.subarray(at, ++at));
          }, 100);
        },
        3_000,
      ),
    'nobody',
  ),
  attack(
    '1,000 connections of noise',
    (target) => bare(target, 1_000, (socket) => socket.write(Buffer.alloc(20_000, 0x16)), 2_000),
    'nobody',
  ),
  attack(
    '3,000 connections that say nothing behind their handshake',
    async (target) => {
      const held: Promise<Outcome>[] = [];
      for (let i = 0; i < 30; i++) {
        held.push(target.hold(100, [''], { pauseMs: 8_000 - i * 200 }));
        await delay(200);
      }
      await Promise.all(held);
      return nothing;
    },
    'nobody',
  ),
  attack('HTTP/1.1 in 1,000 pipelined requests, of which no answer is read', (target) =>
    target.hold(
      20,
      [`GET /api/v1/namespaces/hostile/configmaps HTTP/1.1\r\nHost: a\r\n${target.authorization}\r\n`.repeat(1_000)],
      {
        pauseMs: 2_000,
      },
    ),
  ),
  attack(
    'HTTP/1.1 in 1,000 pipelined requests over each of 300 connections',
    (target) => target.hold(300, ['', 'GET /version HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1_000)], { pauseMs: 3_000 }),
    'nobody',
  ),
  attack('2,000 connections of HTTP/1.1 that all ask at once, ten times', (target) =>
    target.hold(
      2_000,
      [
        '',
        ...Array.from(
          { length: 10 },
          () => `GET /api/v1/namespaces/hostile/configmaps HTTP/1.1\r\nHost: a\r\n${target.authorization}\r\n`,
        ),
      ],
      { pauseMs: 1_000 },
    ),
  ),
];
