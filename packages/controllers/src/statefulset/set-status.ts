import type { ControllerRevision, StatefulSet, StatefulSetStatus } from '@kubechain/apimachinery/types/apps/v1';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { revisionLabel } from '../history/controller-revisions.ts';
import { isPodAvailable, isPodReady } from '../pods/pod-state.ts';

/** The revisions between which a set's pods move. */
export interface SetRevisions {
  readonly current: ControllerRevision;
  readonly update: ControllerRevision;
  readonly collisionCount: number;
}

/** The status of a set whose pods are these; those not made yet have no phase (updateStatus, 1.36). */
export function countedStatus(
  { metadata, spec }: StatefulSet,
  pods: readonly Pod[],
  { revisions, nowMs }: { readonly revisions: SetRevisions; readonly nowMs: number },
): StatefulSetStatus {
  const current = revisions.current.metadata?.name ?? '';
  const update = revisions.update.metadata?.name ?? '';
  const made = pods.filter(isMade);
  const staying = made.filter((pod) => pod.metadata?.deletionTimestamp === undefined);
  const ready = made.filter((pod) => pod.status?.phase === 'Running' && isPodReady(pod));
  const of = (revision: string): number =>
    staying.filter((pod) => pod.metadata?.labels?.[revisionLabel] === revision).length;
  return {
    observedGeneration: metadata?.generation ?? 0,
    replicas: made.length,
    readyReplicas: ready.length,
    availableReplicas: ready.filter((pod) => isPodAvailable(pod, spec?.minReadySeconds ?? 0, nowMs)).length,
    currentReplicas: of(current),
    updatedReplicas: of(update),
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
