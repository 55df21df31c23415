import type { Deployment, ReplicaSet } from '@kubechain/apimachinery/types/apps/v1';

/** Annotations by which a deployment and its replica sets remember their rollouts. */
export const revisionAnnotation = 'deployment.kubernetes.io/revision';
const historyAnnotation = 'deployment.kubernetes.io/revision-history';
export const desiredReplicasAnnotation = 'deployment.kubernetes.io/desired-replicas';
export const maxReplicasAnnotation = 'deployment.kubernetes.io/max-replicas';

/** Which revision a deployment asks to go back to: spec.rollbackTo of versions before apps/v1. */
export const rollbackAnnotation = 'deprecated.deployment.rollback.to';

/** Characters of history that are kept. */
const maxHistoryLength = 2_000;

/** A deployment's annotations that its replica sets do not get. */
export const ownAnnotations: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  revisionAnnotation,
  historyAnnotation,
  desiredReplicasAnnotation,
  maxReplicasAnnotation,
  rollbackAnnotation,
]);

type Annotations = Readonly<Record<string, string>>;

/** The largest revision there can be: Kubernetes keeps them in 64 bits, more than a number holds exactly. */
const largest = 2n ** 63n - 1n;

/** The revision of a replica set; 0 without one, undefined where it cannot be read. */
export function revisionOf({ metadata }: ReplicaSet): bigint | undefined {
  const text = metadata?.annotations?.[revisionAnnotation];
  return text === undefined ? 0n : parseRevision(text);
}

/** A whole number of 64 bits; undefined for everything else. */
export function parseRevision(text: string): bigint | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined;
  const value = BigInt(text.replace('+', ''));
  return value <= largest && value >= -largest - 1n ? value : undefined;
}

/** The largest revision but one; 0 where there is none. */
export function lastRevision(sets: readonly ReplicaSet[]): bigint {
  let [most, second] = [0n, 0n];
  for (const set of sets) {
    const revision = revisionOf(set);
    if (revision === undefined) continue;
    if (revision >= most) [most, second] = [revision, most];
    else if (revision > second) second = revision;
  }
  return second;
}

export function maxRevision(sets: readonly ReplicaSet[]): bigint {
  return sets.reduce((most, set) => {
    const revision = revisionOf(set) ?? 0n;
    return revision > most ? revision : most;
  }, 0n);
}

/**
 * The annotations of a deployment's newest replica set, which takes over those of the deployment and its new revision;
 * earlier revisions of it become history. The same object where nothing changes.
 * Source: deployment/util SetNewReplicaSetAnnotations (1.36).
 */
export function newReplicaSetAnnotations(deployment: Deployment, before: Annotations, revision: bigint): Annotations {
  const after: Record<string, string> = { ...before };
  for (const [name, value] of Object.entries(deployment.metadata?.annotations ?? {}))
    if (!ownAnnotations.has(name)) after[name] = value;
  const old = before[revisionAnnotation];
  const known = old === undefined || old === '' ? 0n : parseRevision(old);
  if (known === undefined) return isSame(before, after) ? before : after;
  if (known < revision) {
    after[revisionAnnotation] = String(revision);
    if (old !== undefined) {
      const history = withRevision(before[historyAnnotation] ?? '', old);
      if (history !== undefined) after[historyAnnotation] = history;
    }
  }
  return isSame(before, after) ? before : after;
}

/** Oldest revisions go when the text gets too long; undefined where even one does not fit. */
function withRevision(history: string, revision: string): string | undefined {
  if (history === '') return revision;
  const revisions = history.split(',');
  let length = history.length + revision.length + 1;
  let start = 0;
  for (; length > maxHistoryLength && start < revisions.length; start++) length -= revisions[start]!.length + 1;
  return length <= maxHistoryLength ? [...revisions.slice(start), revision].join(',') : undefined;
}

/** How large the deployment was to be when it scaled the set: later changes are shared out by it. */
export function replicasAnnotations(before: Annotations, desired: number, max: number): Annotations {
  const after = { ...before, [desiredReplicasAnnotation]: String(desired), [maxReplicasAnnotation]: String(max) };
  return isSame(before, after) ? before : after;
}

/** A whole number of an annotation; undefined where there is none. */
export function replicasAnnotation({ metadata }: ReplicaSet, name: string): number | undefined {
  const text = metadata?.annotations?.[name] ?? '';
  const value = Number(text);
  return /^\d+$/.test(text) && value <= 2 ** 31 - 1 ? value : undefined;
}

function isSame(a: Annotations, b: Annotations): boolean {
  const keys = Object.keys(b);
  return keys.length === Object.keys(a).length && keys.every((key) => a[key] === b[key]);
}
