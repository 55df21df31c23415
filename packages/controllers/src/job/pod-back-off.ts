import { backoffMs } from '@kubechain/apimachinery';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';

/** How a job's pods fared since its last success. */
export interface BackOffRecord {
  readonly failures: number;
  readonly lastFailureMs: number;
}

export const noFailures: BackOffRecord = { failures: 0, lastFailureMs: 0 };

const firstMs = 10_000;
const longestMs = 600_000;

/** The record after more pods have ended (job/backoff_utils.go newBackoffRecord, 1.36). */
export function recordAfter(
  before: BackOffRecord,
  { failed, succeeded }: { readonly failed: readonly Pod[]; readonly succeeded: readonly Pod[] },
): BackOffRecord {
  const failures = failed.map(finishedMs);
  const latest = Math.max(...failures);
  if (succeeded.length === 0)
    return failures.length === 0 ? before : { failures: before.failures + failures.length, lastFailureMs: latest };
  const lastSuccess = Math.max(...succeeded.map(finishedMs));
  const since = failures.filter((ms) => ms > lastSuccess);
  return since.length === 0 ? noFailures : { failures: since.length, lastFailureMs: latest };
}

/** Milliseconds before a pod may be made in place of one that failed: 10 s, doubled with each failure, up to 10 min. */
export function backOffLeftMs({ failures, lastFailureMs }: BackOffRecord, nowMs: number): number {
  if (failures === 0) return 0;
  return Math.max(0, backoffMs(failures - 1, { firstMs, longestMs }) - (nowMs - lastFailureMs));
}

/**
 * When a pod ended: when the last of its containers did, or it became unready, or its deletion was asked for, or else
 * when it was created.
 */
export function finishedMs({ metadata, spec, status }: Pod): number {
  const sidecars = new Set(
    (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name),
  );
  const statuses = [
    ...(status?.containerStatuses ?? []),
    ...(status?.initContainerStatuses ?? []).filter(({ name }) => sidecars.has(name)),
  ];
  const ends = statuses.map(({ state }) => state?.terminated?.finishedAt);
  if (ends.length > 0 && ends.every((end) => end !== undefined)) return Math.max(...ends.map((end) => Date.parse(end)));
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  if (ready?.status === 'False' && ready.lastTransitionTime !== undefined) return Date.parse(ready.lastTransitionTime);
  if (typeof metadata?.deletionTimestamp === 'string')
    return Date.parse(metadata.deletionTimestamp) - (metadata.deletionGracePeriodSeconds ?? 0) * 1_000;
  return typeof metadata?.creationTimestamp === 'string' ? Date.parse(metadata.creationTimestamp) : 0;
}
