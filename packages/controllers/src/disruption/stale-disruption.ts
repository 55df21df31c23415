import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { isPodEnded } from '../pods/pod-state.ts';

const condition = 'DisruptionTarget';
/** A pod that was to be disrupted is expected to go within so long. */
const timeoutMs = 120_000;

/**
 * Milliseconds until a pod that still lives is no longer said to be about to be disrupted; undefined for one of which
 * that is not said, or that a kubelet said it of (nonTerminatingPodHasStaleDisruptionCondition, 1.36).
 */
export function staleInMs(pod: Pod, nowMs: number): number | undefined {
  if (pod.metadata?.deletionTimestamp !== undefined || isPodEnded(pod)) return undefined;
  const found = pod.status?.conditions?.find(({ type }) => type === condition);
  if (found?.status !== 'True' || found.reason === 'TerminationByKubelet') return undefined;
  return Math.max(0, timeoutMs - (nowMs - Date.parse(found.lastTransitionTime ?? '')));
}
