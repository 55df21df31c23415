import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from '@kubechain/apimachinery/types/policy/v1';
import { inTurns } from '../clock/in-turns.ts';
import { withCondition } from '../controller/conditions.ts';
import { isPodReady } from '../pods/pod-state.ts';

/** A pod whose eviction was granted is expected to go within so long. */
const deletionMs = 120_000;
const allowedCondition = 'DisruptionAllowed';

/** What was counted for a budget. */
export interface BudgetCounts {
  readonly expectedPods: number;
  readonly desiredHealthy: number;
  readonly currentHealthy: number;
  readonly disruptedPods: Readonly<Record<string, string>>;
}

/**
 * Evictions that were granted and are under way, and those that came to nothing (buildDisruptedPodMap, 1.36). Others
 * have the thread meanwhile.
 */
export async function disruptedPods(
  { status }: PodDisruptionBudget,
  pods: readonly Pod[],
  nowMs: number,
): Promise<{
  readonly under: Record<string, string>;
  readonly notDeleted: readonly Pod[];
  readonly recheckMs?: number;
}> {
  const under: Record<string, string> = {};
  const notDeleted: Pod[] = [];
  let recheckMs: number | undefined;
  await inTurns(pods, (pod) => {
    const name = pod.metadata?.name ?? '';
    const since = status?.disruptedPods?.[name];
    if (since === undefined || pod.metadata?.deletionTimestamp !== undefined) return;
    const leftMs = Date.parse(since) + deletionMs - nowMs;
    if (leftMs < 0) notDeleted.push(pod);
    else {
      under[name] = since;
      recheckMs = Math.min(recheckMs ?? leftMs, leftMs);
    }
  });
  return { under, notDeleted, ...(recheckMs === undefined ? {} : { recheckMs }) };
}

/** Ready pods that neither go nor are about to (countHealthyPods, 1.36). Others have the thread meanwhile. */
export async function countHealthy(pods: readonly Pod[], under: Readonly<Record<string, string>>): Promise<number> {
  let count = 0;
  await inTurns(pods, (pod) => {
    const { deletionTimestamp, name = '' } = pod.metadata ?? {};
    if (deletionTimestamp === undefined && under[name] === undefined && isPodReady(pod)) count++;
  });
  return count;
}

/** The status that follows; undefined where it is that already (updatePdbStatus, 1.36). */
export function budgetStatus(
  { metadata, status = {} }: PodDisruptionBudget,
  { currentHealthy, desiredHealthy, disruptedPods: under, expectedPods }: BudgetCounts,
  nowMs: number,
): PodDisruptionBudgetStatus | undefined {
  // Nothing is allowed as long as no pod is there, so that the first ones are safe before they are counted.
  const disruptionsAllowed = expectedPods <= 0 ? 0 : Math.max(0, currentHealthy - desiredHealthy);
  const observedGeneration = metadata?.generation ?? 0;
  const reason = disruptionsAllowed > 0 ? 'SufficientPods' : 'InsufficientPods';
  const condition = status.conditions?.find(({ type }) => type === allowedCondition);
  if (
    status.currentHealthy === currentHealthy &&
    status.desiredHealthy === desiredHealthy &&
    status.expectedPods === expectedPods &&
    status.disruptionsAllowed === disruptionsAllowed &&
    status.observedGeneration === observedGeneration &&
    condition?.reason === reason &&
    Object.keys(status.disruptedPods ?? {}).length === Object.keys(under).length &&
    Object.entries(under).every(([name, since]) => status.disruptedPods?.[name] === since)
  )
    return undefined;
  return {
    currentHealthy,
    desiredHealthy,
    expectedPods,
    disruptionsAllowed,
    disruptedPods: { ...under },
    observedGeneration,
    conditions: withCondition(
      status.conditions,
      {
        type: allowedCondition,
        status: disruptionsAllowed > 0 ? 'True' : 'False',
        reason,
        message: '',
        observedGeneration,
      },
      nowMs,
    ),
  };
}

/** The status when counting failed: nothing is allowed, and why (failSafe, 1.36). */
export function failedStatus(
  { status = {} }: PodDisruptionBudget,
  message: string,
  nowMs: number,
): PodDisruptionBudgetStatus {
  return {
    ...status,
    disruptionsAllowed: 0,
    conditions: withCondition(
      status.conditions,
      {
        type: allowedCondition,
        status: 'False',
        reason: 'SyncFailed',
        message,
        observedGeneration: status.observedGeneration ?? 0,
      },
      nowMs,
    ),
  };
}
