import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { isPodReady, readySinceMs } from './pod-state.ts';

const deletionCost = 'controller.kubernetes.io/pod-deletion-cost';
const phases: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };

/** What the order looks at besides the pods. */
export interface DeletionOrderOptions {
  readonly nowMs: number;
  /** How many pods of the same owner are on a node: crowded nodes lose theirs first. */
  readonly podsOnNode: ReadonlyMap<string, number>;
}

/**
 * Pods in the order in which a controller gives them up: unassigned, pending, unready, cheap, crowded, recently ready,
 * often restarted, young. Ages count by orders of magnitude, equals by uid, so that it is not always the youngest.
 * Source: controller.ActivePodsWithRanks.Less (1.36).
 */
export function inDeletionOrder(pods: readonly Pod[], { nowMs, podsOnNode }: DeletionOrderOptions): readonly Pod[] {
  return pods.toSorted(
    (a, b) =>
      Number(nodeOf(a) !== '') - Number(nodeOf(b) !== '') ||
      phaseOf(a) - phaseOf(b) ||
      Number(isPodReady(a)) - Number(isPodReady(b)) ||
      costOf(a) - costOf(b) ||
      (podsOnNode.get(nodeOf(b)) ?? 0) - (podsOnNode.get(nodeOf(a)) ?? 0) ||
      byAge(a, b, { nowMs, since: readySinceMs }) ||
      restartsOf(b) - restartsOf(a) ||
      byAge(a, b, { nowMs, since: createdMs }),
  );
}

function byAge(
  a: Pod,
  b: Pod,
  { nowMs, since }: { readonly nowMs: number; readonly since: (pod: Pod) => number | undefined },
): number {
  const [first, second] = [since(a), since(b)];
  if (first === second) return 0;
  if (first === undefined) return -1;
  if (second === undefined) return 1;
  const difference = magnitude(nowMs - first) - magnitude(nowMs - second);
  if (difference !== 0) return difference;
  return (a.metadata?.uid ?? '') < (b.metadata?.uid ?? '') ? -1 : 1;
}

/** The power of two of an age in nanoseconds; -1 for one that has not begun. */
function magnitude(ageMs: number): number {
  return ageMs > 0 ? Math.floor(Math.log2(ageMs * 1e6)) : -1;
}

function nodeOf({ spec }: Pod): string {
  return spec?.nodeName ?? '';
}

function phaseOf({ status }: Pod): number {
  return phases[status?.phase ?? 'Pending'] ?? 0;
}

function costOf({ metadata }: Pod): number {
  const text = metadata?.annotations?.[deletionCost] ?? '';
  return /^(?:0|-?[1-9]\d{0,9})$/.test(text) ? Number(text) : 0;
}

function restartsOf({ status }: Pod): number {
  return Math.max(0, ...(status?.containerStatuses ?? []).map(({ restartCount }) => restartCount ?? 0));
}

function createdMs({ metadata }: Pod): number | undefined {
  return typeof metadata?.creationTimestamp === 'string' ? Date.parse(metadata.creationTimestamp) : undefined;
}
