import type { Pod } from '@kubechain/apimachinery/types/core/v1';

/** Whether a pod counts as a replica: not ended, not being deleted (controller.IsPodActive). */
export function isPodActive(pod: Pod): boolean {
  return !isPodEnded(pod) && pod.metadata?.deletionTimestamp === undefined;
}

/** Succeeded or failed: it never runs again. */
export function isPodEnded({ status }: Pick<Pod, 'status'>): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

/** Being deleted, and not ended yet (controller.IsPodTerminating). */
export function isPodTerminating(pod: Pod): boolean {
  return !isPodEnded(pod) && pod.metadata?.deletionTimestamp !== undefined;
}

/** Whether the pod's Ready condition is true. */
export function isPodReady(pod: Pod): boolean {
  return readyCondition(pod)?.status === 'True';
}

/** When the pod became ready, in milliseconds; undefined where it is not, or does not say. */
export function readySinceMs(pod: Pod): number | undefined {
  const condition = readyCondition(pod);
  if (condition?.status !== 'True' || condition.lastTransitionTime === undefined) return undefined;
  return Date.parse(condition.lastTransitionTime);
}

/** Whether the pod has been ready for `minReadySeconds`. */
export function isPodAvailable(pod: Pod, minReadySeconds: number, nowMs: number): boolean {
  return isPodReady(pod) && availableInMs(pod, minReadySeconds, nowMs) === 0;
}

/** Milliseconds until a ready pod becomes available; undefined where it is not ready. */
export function availableInMs(pod: Pod, minReadySeconds: number, nowMs: number): number | undefined {
  if (!isPodReady(pod)) return undefined;
  if (minReadySeconds === 0) return 0;
  const since = readySinceMs(pod);
  return since === undefined ? undefined : Math.max(0, since + minReadySeconds * 1_000 - nowMs);
}

function readyCondition({
  status,
}: Pod): { readonly status?: string; readonly lastTransitionTime?: string } | undefined {
  return status?.conditions?.find(({ type }) => type === 'Ready');
}
