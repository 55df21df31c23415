import { peerEffects, type PeerCall, type PeerEffect } from '../peers/peer-call.ts';
import {
  chaosKinds,
  watchChaosKinds,
  type ChaosKind,
  type DrawnEffect,
  type DrawnWatchEffect,
  type FaultCode,
  type WatchChaosKind,
} from './fault-rule.ts';

const longestDelayMs = 2_000;
const moments = ['before', 'within', 'after'] as const;

/**
 * Of kinds of faults, one that a request could meet on a cluster; undefined where it could meet none of them. `random`:
 * from 0 to below 1.
 */
export function drawEffect(
  random: () => number,
  { hasCredentials, mayBeOvertaken, mayBeStale, verb }: DrawnFor,
  among: readonly ChaosKind[] = chaosKinds,
): DrawnEffect | undefined {
  const pick = picker(random);
  const possible = among.filter((kind) => (kind !== 'stale' || mayBeStale) && (kind !== 'conflict' || mayBeOvertaken));
  if (possible.length === 0) return undefined;
  const kind = pick(possible);
  switch (kind) {
    case 'status': {
      const code = pick<FaultCode>(hasCredentials ? [401, ...codesOf(verb)] : codesOf(verb));
      return code === 429 ? { kind, code, retryAfterSeconds: 1 } : { kind, code };
    }
    case 'delay':
      return { kind, milliseconds: Math.ceil(random() * longestDelayMs) };
    case 'cut':
      return { kind, when: pick(moments) };
    case 'timeout':
      return { kind, when: pick(['before', 'after'] as const) };
    case 'stale':
    case 'conflict':
      return { kind };
    default:
      return kind satisfies never;
  }
}

/** What a request could meet. */
export interface DrawnFor {
  readonly verb: string;
  readonly mayBeStale: boolean;
  readonly mayBeOvertaken: boolean;
  /** It said who it is, with something that could have expired. */
  readonly hasCredentials: boolean;
}

/**
 * Of kinds of faults, one for a call that a server makes; undefined where it could meet none of them. `random`: from 0
 * to below 1.
 */
export function drawPeerEffect(
  random: () => number,
  call: PeerCall,
  among: readonly PeerEffect['kind'][] = defaultsFor(call),
): PeerEffect | undefined {
  const pick = picker(random);
  const possible = among.filter((kind) => couldMeet(kind, call));
  if (possible.length === 0) return undefined;
  const kind = pick(possible);
  switch (kind) {
    case 'delay':
      return { kind, milliseconds: Math.ceil(random() * longestDelayMs) };
    case 'status':
      return { kind, code: pick(peerCodes) };
    default:
      return { kind };
  }
}

/** Some are about writes alone; a watch has no answer that could be slow. */
export function couldMeet(kind: PeerEffect['kind'], { verb }: PeerCall): boolean {
  switch (kind) {
    case 'readOnly':
    case 'loseAnswer':
      return verb === 'write';
    case 'delay':
      return verb !== 'watch';
    default:
      return true;
  }
}

/** The silence of a store or of the next server lasts for a minute and more: everything would stand still. */
function defaultsFor({ peer }: PeerCall): readonly PeerEffect['kind'][] {
  const all = peerEffects[peer];
  return peer === 'store' || peer === 'delegate' ? all.filter((kind) => kind !== 'silence') : all;
}

const peerCodes = [429, 500, 502, 503, 504] as const;

/** Of kinds of faults, one for a watch. `random`: from 0 to below 1. */
export function drawWatchEffect(
  random: () => number,
  among: readonly WatchChaosKind[] = watchChaosKinds,
): DrawnWatchEffect {
  const kind = picker(random)(among);
  return kind === 'delay' ? { kind, milliseconds: Math.ceil(random() * longestDelayMs) } : { kind };
}

function picker(random: () => number): <T>(of: readonly T[]) => T {
  return <T>(of: readonly T[]) => of[Math.floor(random() * of.length)] as T;
}

/** Conflicts are for those who change what they have read, and expired revisions for who goes on from one. */
function codesOf(verb: string): readonly FaultCode[] {
  switch (verb) {
    case 'update':
    case 'patch':
      return [409, 429, 500, 503, 504];
    case 'list':
    case 'watch':
      return [410, 429, 500, 503, 504];
    default:
      return [429, 500, 503, 504];
  }
}
