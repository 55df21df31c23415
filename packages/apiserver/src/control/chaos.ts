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
  { mayBeStale, verb }: { readonly verb: string; readonly mayBeStale: boolean },
  among: readonly ChaosKind[] = chaosKinds,
): DrawnEffect | undefined {
  const pick = picker(random);
  const possible = mayBeStale ? among : among.filter((kind) => kind !== 'stale');
  if (possible.length === 0) return undefined;
  const kind = pick(possible);
  switch (kind) {
    case 'status': {
      const code = pick(codesOf(verb));
      return code === 429 ? { kind, code, retryAfterSeconds: 1 } : { kind, code };
    }
    case 'delay':
      return { kind, milliseconds: Math.ceil(random() * longestDelayMs) };
    case 'cut':
      return { kind, when: pick(moments) };
    case 'timeout':
      return { kind, when: pick(['before', 'after'] as const) };
    case 'stale':
      return { kind };
    default:
      return kind satisfies never;
  }
}

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
