import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from './ask-control.ts';
import type { PeerCall, PeerEffect, PeerKind } from './peer-call.ts';
import type { PeerFaults } from './peer-faults.ts';

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
    return (
      await ask<{ readonly effect?: PeerEffect }>(socketPath, {
        method: 'POST',
        path: '/v1/faults/take',
        query,
        signal,
      })
    ).effect;
  };
  for (let known = ''; !signal.aborted;) {
    try {
      const query = new URLSearchParams({ follower: name, known, wait: String(newsWaitMs) });
      const news = await ask<PeerFaultNews>(socketPath, { method: 'GET', path: '/v1/faults/peers', query, signal });
      if (news.version !== known) faults.change(new Set(news.peers), decide);
      known = news.version;
    } catch {
      known = '';
      faults.clear();
      await sleep(pauseMs, undefined, { ref: false, signal }).catch(() => undefined);
    }
  }
}
