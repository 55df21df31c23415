import { parseTime } from '@kubechain/apimachinery';
import type { Lease } from '@kubechain/apimachinery/types/coordination/v1';
import type { LeaseCandidate } from '../../registry/coordination/leasecandidate/lease-candidate.ts';
import {
  compareSemanticVersions,
  parseSemanticVersion,
  zeroVersion,
} from '../../registry/coordination/leasecandidate/semantic-version.ts';
import type { SemanticVersion } from '../../registry/coordination/leasecandidate/semantic-version.ts';

/**
 * How a leader is chosen among the candidates for a lease. Source: pkg/controlplane/controller/leaderelection
 * (election.go, leaderelection_controller.go), 1.36.
 */

/** The only strategy by which the server itself chooses. */
const oldestEmulationVersion = 'OldestEmulationVersion';

/** How long candidates have to answer, and how long an answer counts. */
const electionMs = 5_000;
/** A candidate that has not been heard of for so long is none any more. */
const candidateMs = 30 * 60_000;

/** What is to be done about a lease now. */
export type ElectionStep =
  /** There is a leader that is as good as any. */
  | { readonly kind: 'settled' }
  /** Candidates are asked whether they are there (`ask`), or still have time to answer. */
  | { readonly kind: 'asking'; readonly ask: readonly LeaseCandidate[] }
  /** Nobody has answered, or those who have do not agree. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** `holder`: undefined where another controller chooses by this strategy. */
  | { readonly kind: 'elect'; readonly strategy: string; readonly holder: string | undefined };

/** Looks at a lease (undefined: there is none) and at its candidates, one at least, that are not expired. */
export function electionStep(
  lease: Lease | undefined,
  candidates: readonly LeaseCandidate[],
  nowMs: number,
): ElectionStep {
  const doubt = isInDoubt(lease, candidates, nowMs);
  if (typeof doubt === 'string') return { kind: 'failed', reason: doubt };
  if (!doubt) return { kind: 'settled' };
  const states = candidates.map((candidate) => ({ candidate, state: stateOf(candidate, nowMs) }));
  const ask = states.flatMap(({ candidate, state }) => (state === 'to be asked' ? [candidate] : []));
  if (ask.length > 0 || states.some(({ state }) => state === 'asked')) return { kind: 'asking', ask };
  const answered = states.flatMap(({ candidate, state }) => (state === 'answered' ? [candidate] : []));
  if (answered.length === 0) return { kind: 'failed', reason: 'no available candidates' };
  const { problem, strategy } = strategyOf(answered);
  if (problem !== undefined) return { kind: 'failed', reason: problem };
  if (strategy !== oldestEmulationVersion) return { kind: 'elect', strategy, holder: undefined };
  const holder = bestCandidate(answered)?.metadata?.name;
  return holder === undefined
    ? { kind: 'failed', reason: 'could not find suitable electee' }
    : { kind: 'elect', strategy, holder };
}

/** Whether there should be an election; a text says why that cannot be told. */
function isInDoubt(lease: Lease | undefined, candidates: readonly LeaseCandidate[], nowMs: number): boolean | string {
  if (lease === undefined || isLeaseExpired(lease, nowMs) || !lease.spec?.holderIdentity) return true;
  // All are asked from time to time, so that those who are gone are found.
  if (candidates.some(({ spec }) => isBefore(spec?.renewTime, nowMs - candidateMs / 2))) return true;
  const { problem, strategy } = strategyOf(candidates);
  if (problem !== undefined) return problem;
  if (strategy !== oldestEmulationVersion) return false;
  const best = bestCandidate(candidates);
  return best !== undefined && best.metadata?.name !== lease.spec.holderIdentity;
}

function stateOf({ spec = {} }: LeaseCandidate, nowMs: number): 'asked' | 'answered' | 'to be asked' | 'silent' {
  const { pingTime, renewTime } = spec;
  const waits = pingTime !== undefined && renewTime !== undefined && parseTime(renewTime) < parseTime(pingTime);
  if (waits && !isBefore(pingTime, nowMs - electionMs, 'or at')) return 'asked';
  if (renewTime !== undefined && !isBefore(renewTime, nowMs - electionMs, 'or at')) return 'answered';
  if (pingTime === undefined || (isBefore(pingTime, nowMs - electionMs) && !waits)) return 'to be asked';
  return 'silent';
}

/** The strategy of the candidates with the newest binary. */
function strategyOf(candidates: readonly LeaseCandidate[]): {
  readonly strategy: string;
  readonly problem?: string;
} {
  let best: { readonly name: string; readonly version: SemanticVersion; readonly strategy: string } | undefined;
  for (const { metadata, spec } of candidates) {
    const name = metadata?.name ?? '';
    const strategy = spec?.strategy ?? '';
    const version = versionOf(spec?.binaryVersion);
    const order = best === undefined ? -1 : compareSemanticVersions(best.version, version);
    if (order < 0) best = { name, strategy, version };
    else if (order === 0 && strategy !== best?.strategy)
      return {
        strategy: '',
        problem:
          `candidates "${best?.name ?? ''}", "${name}" at same binary version but received differing strategies ` +
          `${best?.strategy ?? ''}, ${strategy}`,
      };
  }
  return { strategy: best?.strategy ?? '' };
}

/** Oldest emulated version, then oldest binary, then who came first. */
function bestCandidate(candidates: readonly LeaseCandidate[]): LeaseCandidate | undefined {
  let best: LeaseCandidate | undefined;
  for (const candidate of candidates) {
    const { binaryVersion, emulationVersion } = candidate.spec ?? {};
    if ([binaryVersion, emulationVersion].some((version) => parseSemanticVersion(version ?? '') === undefined))
      continue;
    if (best === undefined || isBetter(candidate, best)) best = candidate;
  }
  return best;
}

function isBetter(a: LeaseCandidate, b: LeaseCandidate): boolean {
  const order =
    compareSemanticVersions(versionOf(a.spec?.emulationVersion), versionOf(b.spec?.emulationVersion)) ||
    compareSemanticVersions(versionOf(a.spec?.binaryVersion), versionOf(b.spec?.binaryVersion));
  if (order !== 0) return order < 0;
  return (a.metadata?.creationTimestamp ?? '') < (b.metadata?.creationTimestamp ?? '');
}

function versionOf(text = ''): SemanticVersion {
  return parseSemanticVersion(text) ?? zeroVersion;
}

/** Whether nobody has renewed a lease for its duration. */
export function isLeaseExpired({ spec }: Lease, nowMs: number): boolean {
  if (spec?.renewTime === undefined || spec.leaseDurationSeconds === undefined) return true;
  return isBefore(spec.renewTime, nowMs - spec.leaseDurationSeconds * 1_000);
}

/** Whether a candidate has not been heard of for so long that it is none any more. */
export function isCandidateExpired({ spec }: LeaseCandidate, nowMs: number): boolean {
  return spec?.renewTime === undefined || isBefore(spec.renewTime, nowMs - candidateMs);
}

/** An absent time is before nothing. */
function isBefore(time: string | undefined, ms: number, end?: 'or at'): boolean {
  if (time === undefined) return false;
  const at = parseTime(time);
  return at < ms || (end !== undefined && at === ms);
}
