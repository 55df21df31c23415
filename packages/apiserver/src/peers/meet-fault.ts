import { setTimeout as sleep } from 'node:timers/promises';
import { whenAborted } from '@kubechain/apimachinery';
import type { PeerCall, PeerEffect } from './peer-call.ts';
import type { PeerFaults } from './peer-faults.ts';

/** What stands in place of a peer's answer. */
export interface FaultyAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/**
 * Lets an HTTP call meet the fault that is set for it. Resolves to what is to be taken for the answer, or to undefined
 * when the call is to go out now.
 * @param signal of the call
 * @throws Error as of a connection that is refused; the signal's reason
 */
export async function meetFault(
  faults: PeerFaults | undefined,
  call: PeerCall,
  signal: AbortSignal,
): Promise<FaultyAnswer | undefined> {
  const effect = await faults?.take(call);
  return effect === undefined ? undefined : answerOf(effect, signal);
}

async function answerOf(effect: PeerEffect, signal: AbortSignal): Promise<FaultyAnswer | undefined> {
  switch (effect.kind) {
    case 'delay':
      await sleep(effect.milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
      signal.throwIfAborted();
      return undefined;
    case 'refuse':
      throw connectionRefused();
    case 'silence':
      await whenAborted(signal);
      throw signal.reason;
    case 'status':
      return { status: effect.code, contentType: 'text/plain; charset=utf-8', body: 'a fault was asked for' };
    case 'garble':
      return { status: 200, contentType: 'application/json', body: '{"kind":"garb' };
    // Of a store.
    case 'readOnly':
    case 'loseAnswer':
      return undefined;
    default:
      return effect satisfies never;
  }
}

/** As of a port on which nobody listens. */
function connectionRefused(): Error {
  return Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
}
