import { append } from '@kubechain/apimachinery';
import type { Job } from '@kubechain/apimachinery/types/batch/v1';
import type { Container, Pod, PodTemplateSpec } from '@kubechain/apimachinery/types/core/v1';
import { inDeletionOrder } from '../pods/deletion-order.ts';
import { finishedMs } from './pod-back-off.ts';
import { includes, type Intervals } from './index-intervals.ts';
import { judgeFailure } from './pod-failure-policy.ts';

/** Keeps an ended pod until its job has counted it. */
export const trackingFinalizer = 'batch.kubernetes.io/job-tracking';
const indexKey = 'batch.kubernetes.io/job-completion-index';
const failuresKey = 'batch.kubernetes.io/job-index-failure-count';
const ignoredFailuresKey = 'batch.kubernetes.io/job-index-ignored-failure-count';
/** Characters before the five that the server adds to a generated name. */
const maxGeneratedNameLength = 58;

export function isTracked({ metadata }: Pod): boolean {
  return metadata?.finalizers?.includes(trackingFinalizer) === true;
}

export function isIndexed({ spec }: Job): boolean {
  return spec?.completionMode === 'Indexed';
}

/** A pod is replaced only when it has ended, not as soon as it is being deleted. */
export function replacesOnlyFailed({ spec }: Job): boolean {
  return spec?.podReplacementPolicy === 'Failed' || spec?.podFailurePolicy !== undefined;
}

/** Whether a pod counts as failed: it is, or it is being deleted and may never get to say so. */
export function isFailed(job: Job, { metadata, status }: Pod): boolean {
  if (status?.phase === 'Failed') return true;
  if (replacesOnlyFailed(job)) return false;
  return metadata?.deletionTimestamp !== undefined && status?.phase !== 'Succeeded';
}

/** The completion index of a pod; undefined without one that can be read. */
export function indexOf({ metadata }: Pod): number | undefined {
  const text = metadata?.annotations?.[indexKey];
  return text !== undefined && /^\+?\d+$/.test(text) ? Number(text) : undefined;
}

/** The index, if the job has it. */
export function validIndexOf(job: Job, pod: Pod): number | undefined {
  const index = indexOf(pod);
  return index !== undefined && index < (job.spec?.completions ?? 0) ? index : undefined;
}

/** Whether a pod failed so that its index is given up. */
export function failsIndex(job: Job, pod: Pod): boolean {
  if (!isFailed(job, pod)) return false;
  const { action, counts } = judgeFailure(job.spec?.podFailurePolicy, pod);
  return action === 'FailIndex' || (counts && countOf(pod, failuresKey) >= (job.spec?.backoffLimitPerIndex ?? 0));
}

/** Failures of an index up to this pod's predecessor, those that do not count too. */
export function failuresBefore(pod: Pod): number {
  return countOf(pod, failuresKey) + countOf(pod, ignoredFailuresKey);
}

function countOf({ metadata }: Pod, key: string): number {
  const text = metadata?.annotations?.[key] ?? '';
  const count = /^\+?\d+$/.test(text) ? Number(text) : 0;
  return count <= 2 ** 31 - 1 ? count : 0;
}

/**
 * The failed pods that stay until their index has a new one, which takes over how often the index has failed.
 * Source: job/indexed_job_utils.go getPodsWithDelayedDeletionPerIndex (1.36).
 */
export function heldPods(
  job: Job,
  pods: readonly Pod[],
  { done, active }: { readonly done: Intervals; readonly active: ReadonlySet<number> },
): ReadonlyMap<number, Pod> {
  const held = new Map<number, Pod>();
  for (const pod of pods) {
    const index = validIndexOf(job, pod);
    if (index === undefined || !isFailed(job, pod) || includes(done, index) || active.has(index)) continue;
    const other = held.get(index);
    if (other === undefined || (failuresBefore(other) <= failuresBefore(pod) && finishedMs(pod) >= finishedMs(other)))
      held.set(index, pod);
  }
  return held;
}

/**
 * At least so many pods, and of an indexed job all that have no index or one twice (job activePodsForRemoval, 1.36).
 */
export function podsToRemove(
  job: Job,
  active: readonly Pod[],
  { atLeast, nowMs }: { readonly atLeast: number; readonly nowMs: number },
): readonly Pod[] {
  const order = { nowMs, podsOnNode: new Map<string, number>() };
  const surplus: Pod[] = [];
  const left: Pod[] = [];
  if (isIndexed(job)) {
    const byIndex = Map.groupBy(active, (pod) => validIndexOf(job, pod));
    for (const [index, pods] of byIndex) {
      const sorted = pods.length === 1 ? pods : inDeletionOrder(pods, order);
      append(surplus, index === undefined ? sorted : sorted.slice(0, -1));
      if (index !== undefined) left.push(sorted.at(-1)!);
    }
  } else append(left, active);
  if (surplus.length >= atLeast) return surplus;
  return [...surplus, ...inDeletionOrder(left, order).slice(0, atLeast - surplus.length)];
}

/** The template of a job's pods; of an index's, with its name, label, annotations and variable. */
export function templateOf(
  job: Job,
  index: number | undefined,
  replaced: Pod | undefined,
): { readonly template: PodTemplateSpec; readonly generateName?: string } {
  const { metadata = {}, spec } = job.spec?.template ?? {};
  const finalizers = [...new Set([...(metadata.finalizers ?? []), trackingFinalizer])];
  if (index === undefined || spec === undefined)
    return { template: { metadata: { ...metadata, finalizers }, ...(spec === undefined ? {} : { spec }) } };
  const name = job.metadata?.name ?? '';
  const suffix = `-${index}-`;
  return {
    generateName: `${name.slice(0, maxGeneratedNameLength - suffix.length)}${suffix}`,
    template: {
      metadata: {
        ...metadata,
        finalizers,
        labels: { ...metadata.labels, [indexKey]: String(index) },
        annotations: { ...metadata.annotations, [indexKey]: String(index), ...failureCounts(job, replaced) },
      },
      spec: {
        ...spec,
        hostname: `${name}-${index}`,
        containers: spec.containers.map(withIndex),
        ...(spec.initContainers === undefined ? {} : { initContainers: spec.initContainers.map(withIndex) }),
      },
    },
  };
}

function failureCounts(job: Job, replaced: Pod | undefined): Record<string, string> {
  if (job.spec?.backoffLimitPerIndex === undefined) return {};
  let failures = 0;
  let ignored = 0;
  if (replaced !== undefined) {
    const { counts } = judgeFailure(job.spec.podFailurePolicy, replaced);
    failures = countOf(replaced, failuresKey) + Number(counts);
    ignored = countOf(replaced, ignoredFailuresKey) + Number(!counts);
  }
  return { [failuresKey]: String(failures), ...(ignored === 0 ? {} : { [ignoredFailuresKey]: String(ignored) }) };
}

function withIndex(container: Container): Container {
  const name = 'JOB_COMPLETION_INDEX';
  if (container.env?.some((variable) => variable.name === name) === true) return container;
  const fieldPath = `metadata.labels['${indexKey}']`;
  return { ...container, env: [...(container.env ?? []), { name, valueFrom: { fieldRef: { fieldPath } } }] };
}
