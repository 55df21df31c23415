import { formatTime } from '@kubechain/apimachinery';
import type {
  Deployment,
  DeploymentCondition,
  DeploymentStatus,
  ReplicaSet,
} from '@kubechain/apimachinery/types/apps/v1';
import { total } from './replica-sets.ts';
import { rolloutLimits, wantedOf } from './rollout-limits.ts';

/** What a rollout looks at. */
export interface Sets {
  /** Undefined before there is one of the current template. */
  readonly newSet: ReplicaSet | undefined;
  readonly oldSets: readonly ReplicaSet[];
}

export const allOf = ({ newSet, oldSets }: Sets): readonly ReplicaSet[] =>
  newSet === undefined ? oldSets : [...oldSets, newSet];

export interface Condition {
  readonly type: 'Progressing' | 'Available' | 'ReplicaFailure';
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

export function conditionOf(
  status: DeploymentStatus | undefined,
  type: Condition['type'],
): DeploymentCondition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

/** The same status where it says so already; the time of the last transition is that of its status. */
export function withCondition(status: DeploymentStatus, condition: Condition, nowMs: number): DeploymentStatus {
  const before = conditionOf(status, condition.type);
  if (before?.status === condition.status && before.reason === condition.reason) return status;
  const now = formatTime(nowMs);
  const lastTransitionTime = before?.status === condition.status ? (before.lastTransitionTime ?? now) : now;
  return withWritten(status, { ...condition, lastUpdateTime: now, lastTransitionTime });
}

/** Puts a condition at the end, in place of one of its type. */
function withWritten(status: DeploymentStatus, condition: DeploymentCondition): DeploymentStatus {
  return { ...status, conditions: [...(withoutCondition(status, condition.type).conditions ?? []), condition] };
}

function withoutCondition(status: DeploymentStatus, type: string): DeploymentStatus {
  const { conditions = [], ...rest } = status;
  const left = conditions.filter((condition) => condition.type !== type);
  return left.length === 0 ? rest : { ...rest, conditions: left };
}

/** The status as the replica sets are now, conditions but Available as before (deployment calculateStatus, 1.36). */
export function deploymentStatus(deployment: Deployment, sets: Sets, nowMs: number): DeploymentStatus {
  const all = allOf(sets);
  const available = total.available(all);
  const terminating = total.terminating(all);
  const { collisionCount, conditions } = deployment.status ?? {};
  const status: DeploymentStatus = {
    ...dropZeros({
      observedGeneration: deployment.metadata?.generation ?? 0,
      replicas: total.actual(all),
      updatedReplicas: sets.newSet === undefined ? 0 : total.actual([sets.newSet]),
      readyReplicas: total.ready(all),
      availableReplicas: available,
      unavailableReplicas: Math.max(0, total.wanted(all) - available),
    }),
    ...(terminating === undefined ? {} : { terminatingReplicas: terminating }),
    ...(collisionCount === undefined ? {} : { collisionCount }),
    ...(conditions === undefined ? {} : { conditions }),
  };
  const enough = available >= wantedOf(deployment) - rolloutLimits(deployment).maxUnavailable;
  return withCondition(
    status,
    enough
      ? {
          type: 'Available',
          status: 'True',
          reason: 'MinimumReplicasAvailable',
          message: 'Deployment has minimum availability.',
        }
      : {
          type: 'Available',
          status: 'False',
          reason: 'MinimumReplicasUnavailable',
          message: 'Deployment does not have minimum availability.',
        },
    nowMs,
  );
}

/** As the server gives statuses back: without counts that are 0. */
function dropZeros<T extends Readonly<Record<string, number>>>(counts: T): Partial<T> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0)) as Partial<T>;
}

/** Whether all pods are of the newest revision and available. */
export function isComplete(deployment: Deployment, status: DeploymentStatus | undefined): boolean {
  const wanted = wantedOf(deployment);
  return (
    (status?.updatedReplicas ?? 0) === wanted &&
    (status?.replicas ?? 0) === wanted &&
    (status?.availableReplicas ?? 0) === wanted &&
    (status?.observedGeneration ?? 0) >= (deployment.metadata?.generation ?? 0)
  );
}

/** Whether something has moved on since the deployment's own status. */
function isProgressing({ status: before }: Deployment, after: DeploymentStatus): boolean {
  const old = (status: DeploymentStatus | undefined): number =>
    (status?.replicas ?? 0) - (status?.updatedReplicas ?? 0);
  return (
    (after.updatedReplicas ?? 0) > (before?.updatedReplicas ?? 0) ||
    old(after) < old(before) ||
    (after.readyReplicas ?? 0) > (before?.readyReplicas ?? 0) ||
    (after.availableReplicas ?? 0) > (before?.availableReplicas ?? 0)
  );
}

/** Seconds that a rollout may stand still; undefined: for ever. */
export function progressDeadlineSeconds({ spec }: Deployment): number | undefined {
  const seconds = spec?.progressDeadlineSeconds;
  return seconds === undefined || seconds === 2 ** 31 - 1 ? undefined : seconds;
}

function hasTimedOut(deployment: Deployment, status: DeploymentStatus, nowMs: number): boolean {
  const deadline = progressDeadlineSeconds(deployment);
  const condition = conditionOf(status, 'Progressing');
  if (deadline === undefined || condition === undefined || condition.reason === 'NewReplicaSetAvailable') return false;
  if (condition.reason === 'ProgressDeadlineExceeded') return true;
  return Date.parse(condition.lastUpdateTime ?? '') + deadline * 1_000 < nowMs;
}

/** The status with how the rollout is going (deployment/progress.go syncRolloutStatus). */
export function rolloutStatus(deployment: Deployment, sets: Sets, nowMs: number): DeploymentStatus {
  let status = deploymentStatus(deployment, sets, nowMs);
  const watched = progressDeadlineSeconds(deployment) !== undefined;
  if (!watched) status = withoutCondition(status, 'Progressing');
  const current = conditionOf(deployment.status, 'Progressing');
  const done = (status.replicas ?? 0) === (status.updatedReplicas ?? 0) && current?.reason === 'NewReplicaSetAvailable';
  if (watched && !done) status = withProgress(deployment, { sets, status, nowMs });
  const failure = failureOf(sets);
  return failure === undefined
    ? withoutCondition(status, 'ReplicaFailure')
    : withCondition(status, { ...failure, type: 'ReplicaFailure' } as Condition, nowMs);
}

function withProgress(
  deployment: Deployment,
  { sets, status, nowMs }: { readonly sets: Sets; readonly status: DeploymentStatus; readonly nowMs: number },
): DeploymentStatus {
  const name = sets.newSet?.metadata?.name;
  const who =
    name === undefined
      ? `Deployment ${JSON.stringify(deployment.metadata?.name ?? '')}`
      : `ReplicaSet ${JSON.stringify(name)}`;
  const progressing = (of: Pick<Condition, 'status' | 'reason' | 'message'>): Condition => ({
    type: 'Progressing',
    ...of,
  });
  if (isComplete(deployment, status))
    return withCondition(
      status,
      progressing({ status: 'True', reason: 'NewReplicaSetAvailable', message: `${who} has successfully progressed.` }),
      nowMs,
    );
  if (isProgressing(deployment, status)) {
    // Renewed each time, so that the deadline counts from the last step; the transition stays what it was.
    const before = conditionOf(deployment.status, 'Progressing');
    const now = formatTime(nowMs);
    return withWritten(status, {
      ...progressing({ status: 'True', reason: 'ReplicaSetUpdated', message: `${who} is progressing.` }),
      lastUpdateTime: now,
      lastTransitionTime: before?.status === 'True' ? (before.lastTransitionTime ?? now) : now,
    });
  }
  if (hasTimedOut(deployment, status, nowMs))
    return withCondition(
      status,
      progressing({
        status: 'False',
        reason: 'ProgressDeadlineExceeded',
        message: `${who} has timed out progressing.`,
      }),
      nowMs,
    );
  return status;
}

/** Why pods cannot be made, of the new set rather than of an old one. */
function failureOf(sets: Sets): Pick<DeploymentCondition, 'status' | 'reason' | 'message'> | undefined {
  for (const { status } of sets.newSet === undefined ? sets.oldSets : [sets.newSet, ...sets.oldSets]) {
    const failure = status?.conditions?.find(({ type }) => type === 'ReplicaFailure');
    if (failure !== undefined) {
      const { status: is, reason = '', message = '' } = failure;
      return { status: is, reason, message };
    }
  }
  return undefined;
}
