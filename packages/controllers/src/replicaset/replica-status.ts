import { formatTime, messageOf, selectorFromMap } from '@kubechain/apimachinery';
import type { Pod, PodTemplateSpec } from '@kubechain/apimachinery/types/core/v1';
import { isDeepStrictEqual } from 'node:util';
import { inTurns } from '../clock/in-turns.ts';
import { isPodAvailable, isPodReady } from '../pods/pod-state.ts';

/** A condition of either kind. */
interface ReplicaCondition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string;
  readonly reason?: string;
  readonly message?: string;
}

/** The status that ReplicaSets and ReplicationControllers share. */
export interface ReplicaStatus {
  readonly replicas: number;
  readonly fullyLabeledReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly terminatingReplicas?: number;
  readonly observedGeneration?: number;
  readonly conditions?: readonly ReplicaCondition[];
}

/** What the status is counted from. */
export interface Observed {
  readonly active: readonly Pod[];
  /** Undefined where they are not told. */
  readonly terminating: readonly Pod[] | undefined;
  /** Why pods could not be made or deleted. */
  readonly failure: unknown;
  readonly nowMs: number;
}

/** The status of a set as its pods are now (replicaset calculateStatus, 1.36). Others have the thread meanwhile. */
export async function replicaStatus(
  {
    spec,
    status,
  }: {
    readonly spec?: {
      readonly replicas?: number;
      readonly minReadySeconds?: number;
      readonly template?: PodTemplateSpec;
    };
    readonly status?: ReplicaStatus;
  },
  { active, failure, nowMs, terminating }: Observed,
): Promise<ReplicaStatus> {
  const template = selectorFromMap(spec?.template?.metadata?.labels);
  const counts = { fullyLabeledReplicas: 0, readyReplicas: 0, availableReplicas: 0 };
  await inTurns(active, (pod) => {
    if (template.matches(pod.metadata?.labels)) counts.fullyLabeledReplicas++;
    if (!isPodReady(pod)) return;
    counts.readyReplicas++;
    if (isPodAvailable(pod, spec?.minReadySeconds ?? 0, nowMs)) counts.availableReplicas++;
  });
  const conditions = conditionsAfter(status?.conditions ?? [], {
    failure,
    nowMs,
    reason: active.length < (spec?.replicas ?? 1) ? 'FailedCreate' : 'FailedDelete',
  });
  return {
    replicas: active.length,
    ...counts,
    ...(terminating === undefined ? {} : { terminatingReplicas: terminating.length }),
    ...(status?.observedGeneration === undefined ? {} : { observedGeneration: status.observedGeneration }),
    ...(conditions.length === 0 ? {} : { conditions }),
  };
}

function conditionsAfter(
  before: readonly ReplicaCondition[],
  { failure, nowMs, reason }: { readonly failure: unknown; readonly nowMs: number; readonly reason: string },
): readonly ReplicaCondition[] {
  const failed = before.some(({ type }) => type === 'ReplicaFailure');
  if (failure === undefined) return failed ? before.filter(({ type }) => type !== 'ReplicaFailure') : before;
  if (failed) return before;
  const lastTransitionTime = formatTime(nowMs);
  return [
    ...before,
    { type: 'ReplicaFailure', status: 'True', lastTransitionTime, reason, message: messageOf(failure) },
  ];
}

/** Whether two statuses say the same; what is left out is nothing. */
export function isSameStatus(a: ReplicaStatus | undefined, b: ReplicaStatus): boolean {
  const counts = ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'] as const;
  return (
    counts.every((name) => (a?.[name] ?? 0) === (b[name] ?? 0)) &&
    a?.terminatingReplicas === b.terminatingReplicas &&
    isDeepStrictEqual(a?.conditions ?? [], b.conditions ?? [])
  );
}
