import type { ControllerRevision, StatefulSet, StatefulSetStatus } from '@kubechain/apimachinery/types/apps/v1';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { inTurns } from '../clock/in-turns.ts';
import { revisionLabel } from '../history/controller-revisions.ts';
import { isPodAvailable, isPodReady } from '../pods/pod-state.ts';

/** The revisions between which a set's pods move. */
export interface SetRevisions {
  readonly current: ControllerRevision;
  readonly update: ControllerRevision;
  readonly collisionCount: number;
}

/**
 * The status of a set whose pods are these; those not made yet have no phase (updateStatus, 1.36). Others have the
 * thread meanwhile.
 */
export async function countedStatus(
  { metadata, spec }: StatefulSet,
  pods: readonly Pod[],
  { revisions, nowMs }: { readonly revisions: SetRevisions; readonly nowMs: number },
): Promise<StatefulSetStatus> {
  const current = revisions.current.metadata?.name ?? '';
  const update = revisions.update.metadata?.name ?? '';
  const counts = { replicas: 0, readyReplicas: 0, availableReplicas: 0, currentReplicas: 0, updatedReplicas: 0 };
  await inTurns(pods, (pod) => {
    if (!isMade(pod)) return;
    counts.replicas++;
    if (pod.metadata?.deletionTimestamp === undefined) {
      const revision = pod.metadata?.labels?.[revisionLabel];
      if (revision === current) counts.currentReplicas++;
      if (revision === update) counts.updatedReplicas++;
    }
    if (pod.status?.phase !== 'Running' || !isPodReady(pod)) return;
    counts.readyReplicas++;
    if (isPodAvailable(pod, spec?.minReadySeconds ?? 0, nowMs)) counts.availableReplicas++;
  });
  return {
    observedGeneration: metadata?.generation ?? 0,
    ...counts,
    currentRevision: current,
    updateRevision: update,
    collisionCount: revisions.collisionCount,
  };
}

/** An update is over when all pods are of its revision and ready: it is the current one then. */
export function completed({ spec }: StatefulSet, status: StatefulSetStatus): StatefulSetStatus {
  const wanted = spec?.replicas ?? 1;
  const { readyReplicas, replicas, updateRevision, updatedReplicas } = status;
  const over = updatedReplicas === wanted && readyReplicas === wanted && replicas === wanted;
  if (spec?.updateStrategy?.type !== 'RollingUpdate' || !over) return status;
  return {
    ...status,
    currentReplicas: wanted,
    ...(updateRevision === undefined ? {} : { currentRevision: updateRevision }),
  };
}

/** Whether the pod is there, and not only planned. */
export function isMade({ status }: Pod): boolean {
  return status?.phase !== undefined;
}

/** Whether nobody is served by the pod, or soon. */
export function isUnavailable(pod: Pod, minReadySeconds: number, nowMs: number): boolean {
  return !isPodAvailable(pod, minReadySeconds, nowMs) || pod.metadata?.deletionTimestamp !== undefined;
}
