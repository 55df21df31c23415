import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { isPodReady } from '../pods/pod-state.ts';
import type { PodMetric, PodMetrics } from './metrics-client.ts';

/** How far a ratio may be from 1 without anything being done. */
export interface Tolerances {
  readonly scaleDown: number;
  readonly scaleUp: number;
}

/** What a count of replicas goes by. */
export interface CountOptions {
  readonly currentReplicas: number;
  readonly tolerances: Tolerances;
  readonly nowMs: number;
  /** How long a new pod's CPU usage tells nothing. */
  readonly cpuInitializationMs: number;
  /** A pod that becomes unready so soon after its start has never been ready. */
  readonly readinessDelayMs: number;
}

/** Replicas for a metric, and what was measured. */
export interface Counted {
  readonly replicas: number;
  /** Average of the pods, in thousandths. */
  readonly milli: number;
  /** Percentage of what pods request. */
  readonly utilization?: number;
}

/** What the average of pods is to be: so much, or a percentage of what each of them requests, asked for when needed. */
export type PodsTarget =
  | { readonly kind: 'milli'; readonly milli: number }
  | { readonly kind: 'utilization'; readonly percent: number; readonly requests: () => ReadonlyMap<string, number> };

type Goal =
  | Extract<PodsTarget, { kind: 'milli' }>
  | { readonly kind: 'utilization'; readonly percent: number; readonly requests: ReadonlyMap<string, number> };

const mostReplicas = 2 ** 31 - 1;

function isWithin({ scaleDown, scaleUp }: Tolerances, ratio: number): boolean {
  return 1 - scaleDown <= ratio && ratio <= 1 + scaleUp;
}

/**
 * Replicas by a metric of pods. Pods without metrics count as what argues against a change; those that are not ready
 * argue against more (GetResourceReplicas and calcPlainMetricReplicas, 1.36).
 * @throws Error that says why it cannot be told
 */
export function countByPods(
  pods: readonly Pod[],
  all: PodMetrics,
  target: PodsTarget,
  { resource, ...options }: CountOptions & { readonly resource?: string },
): Counted {
  if (pods.length === 0) throw new Error('no pods returned by selector while calculating replica count');
  const { currentReplicas, tolerances } = options;
  const { ignored, missing, ready, unready } = groupPods(pods, all, { resource, ...options });
  const metrics = new Map([...all].filter(([name]) => !ignored.has(name) && !unready.has(name)));
  if (metrics.size === 0) throw new Error('did not receive metrics for targeted pods (pods might be unready)');
  const goal: Goal = target.kind === 'milli' ? target : { ...target, requests: target.requests() };
  const { ratio, ...measured } = usageOf(metrics, goal);
  const upWithUnready = unready.size > 0 && ratio > 1;
  const stay = { replicas: currentReplicas, ...measured };
  if (!upWithUnready && missing.size === 0)
    return isWithin(tolerances, ratio) ? stay : { replicas: Math.ceil(ratio * ready), ...measured };
  const guess = (name: string, milli: number): void => void metrics.set(name, { milli, atMs: 0, windowMs: 0 });
  if (ratio < 1) for (const name of missing) guess(name, fullUsage(name, goal));
  if (ratio > 1) for (const name of missing) guess(name, 0);
  if (upWithUnready) for (const name of unready) guess(name, 0);
  const { ratio: guessed } = usageOf(metrics, goal);
  if (isWithin(tolerances, guessed) || (ratio < 1 && guessed > 1) || (ratio > 1 && guessed < 1)) return stay;
  const replicas = Math.ceil(guessed * metrics.size);
  if ((guessed < 1 && replicas > currentReplicas) || (guessed > 1 && replicas < currentReplicas)) return stay;
  return { replicas, ...measured };
}

/** Replicas by a value that all pods together are to keep at a target (getUsageRatioReplicaCount, 1.36). */
export function countByValue(
  pods: readonly Pod[],
  { milli, targetMilli }: { readonly milli: number; readonly targetMilli: number },
  { currentReplicas, tolerances }: Pick<CountOptions, 'currentReplicas' | 'tolerances'>,
): Counted {
  const ratio = milli / targetMilli;
  if (currentReplicas === 0) return { replicas: Math.ceil(ratio), milli };
  if (isWithin(tolerances, ratio)) return { replicas: currentReplicas, milli };
  if (pods.length === 0)
    throw new Error('unable to calculate ready pods: no pods returned by selector while calculating replica count');
  const ready = pods.filter((pod) => pod.status?.phase === 'Running' && isPodReady(pod)).length;
  return { replicas: Math.min(mostReplicas, Math.ceil(ratio * ready)), milli };
}

/** Replicas by a value of which each pod is to have so much (GetObjectPerPodMetricReplicas and its kind, 1.36). */
export function countPerPod(
  { milli, targetMilli }: { readonly milli: number; readonly targetMilli: number },
  { statusReplicas, tolerances }: { readonly statusReplicas: number; readonly tolerances: Tolerances },
): Counted {
  const replicas = isWithin(tolerances, milli / (targetMilli * statusReplicas))
    ? statusReplicas
    : Math.min(mostReplicas, Math.ceil(milli / targetMilli));
  return { replicas, milli: statusReplicas === 0 ? 0 : Math.ceil(milli / statusReplicas) };
}

/** What is measured, and its ratio to the target. */
function usageOf(
  metrics: PodMetrics,
  target: Goal,
): { readonly ratio: number; readonly milli: number; readonly utilization?: number } {
  if (target.kind === 'milli') {
    const total = [...metrics.values()].reduce((sum, { milli }) => sum + milli, 0);
    const milli = Math.trunc(total / metrics.size);
    return { ratio: milli / target.milli, milli };
  }
  const known = [...metrics].filter(([name]) => target.requests.has(name));
  const total = known.reduce((sum, [, { milli }]) => sum + milli, 0);
  const requested = known.reduce((sum, [name]) => sum + (target.requests.get(name) ?? 0), 0);
  if (requested === 0) throw new Error('no metrics returned matched known pods');
  const utilization = Math.trunc((total * 100) / requested);
  return { ratio: utilization / target.percent, milli: Math.trunc(total / known.length), utilization };
}

function fullUsage(name: string, target: Goal): number {
  if (target.kind === 'milli') return target.milli;
  return Math.trunc(((target.requests.get(name) ?? 0) * Math.max(100, target.percent)) / 100);
}

interface Groups {
  readonly ready: number;
  readonly unready: ReadonlySet<string>;
  readonly missing: ReadonlySet<string>;
  readonly ignored: ReadonlySet<string>;
}

function groupPods(
  pods: readonly Pod[],
  metrics: PodMetrics,
  options: CountOptions & { readonly resource: string | undefined },
): Groups {
  const groups = { ready: 0, unready: new Set<string>(), missing: new Set<string>(), ignored: new Set<string>() };
  for (const pod of pods) {
    const name = pod.metadata?.name ?? '';
    const metric = metrics.get(name);
    if (pod.metadata?.deletionTimestamp !== undefined || pod.status?.phase === 'Failed') groups.ignored.add(name);
    else if (pod.status?.phase === 'Pending') groups.unready.add(name);
    else if (metric === undefined) groups.missing.add(name);
    else if (options.resource === 'cpu' && isCpuUnready(pod, metric, options)) groups.unready.add(name);
    else groups.ready++;
  }
  return groups;
}

/** Whether a pod's CPU usage says nothing of what it will use. */
function isCpuUnready(
  { status }: Pod,
  { atMs, windowMs }: PodMetric,
  { cpuInitializationMs, nowMs, readinessDelayMs }: CountOptions,
): boolean {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  if (ready === undefined || status?.startTime === undefined) return true;
  const startedMs = Date.parse(status.startTime);
  const changedMs = Date.parse(ready.lastTransitionTime ?? '');
  if (startedMs + cpuInitializationMs > nowMs) return ready.status === 'False' || atMs < changedMs + windowMs;
  return ready.status === 'False' && startedMs + readinessDelayMs > changedMs;
}
