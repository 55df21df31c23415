import { setTimeout as sleep } from 'node:timers/promises';
import type { PeerCall, PeerEffect, PeerKind } from './peer-call.ts';
import type { PeerFaults } from './peer-faults.ts';

// Not imported: an import reads all exports of node:http, and one of them loads undici.
const { request } = process.getBuiltinModule('node:http');

/** What the control API tells a process of faults. */
export interface PeerFaultNews {
  /** Names the state of all faults of peers; another one, other faults. */
  readonly version: string;
  readonly peers: readonly PeerKind[];
}

/** How long a question may be left unanswered while nothing changes, ms. */
const newsWaitMs = 30_000;
const pauseMs = 25;

/** Follows the faults that the control API on a unix socket keeps, until `signal` aborts; while nobody serves it: none. */
export async function followPeerFaults(
  faults: PeerFaults,
  { name, signal, socketPath }: { readonly name: string; readonly signal: AbortSignal; readonly socketPath: string },
): Promise<void> {
  const decide = async ({ name: of, peer, verb }: PeerCall): Promise<PeerEffect | undefined> => {
    const query = new URLSearchParams({ peer, name: of, verb });
    return (await ask<{ readonly effect?: PeerEffect }>(socketPath, 'POST', `take?${query.toString()}`, signal)).effect;
  };
  for (let known = ''; !signal.aborted;) {
    try {
      const query = new URLSearchParams({ follower: name, known, wait: String(newsWaitMs) });
      const news = await ask<PeerFaultNews>(socketPath, 'GET', `peers?${query.toString()}`, signal);
      if (news.version !== known) faults.change(new Set(news.peers), decide);
      known = news.version;
    } catch {
      known = '';
      faults.clear();
      await sleep(pauseMs, undefined, { ref: false, signal }).catch(() => undefined);
    }
  }
}

function ask<T>(socketPath: string, method: string, path: string, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const call = request({ socketPath, method, path: `/v1/faults/${path}`, agent: false, signal }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.once('error', reject);
      answer.once('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (answer.statusCode !== 200) reject(new TypeError(`the control API answered ${answer.statusCode}: ${text}`));
        else resolve(JSON.parse(text) as T);
      });
    });
    call.once('error', reject);
    call.once('socket', (socket) => socket.unref());
    call.end();
  });
}
