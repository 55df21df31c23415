import { backoffMs, formatTime } from '@kubechain/apimachinery';
import type { ContainerStatus, Pod } from '@kubechain/apimachinery/types/core/v1';

/** How a container ends by itself. */
export interface Crash {
  readonly exitCode: number;
  readonly reason: 'OOMKilled' | 'Error';
  /** Whether it runs, and is ready, for a while before. */
  readonly runs: boolean;
}

const crashes: Readonly<Record<string, Crash>> = {
  'crash-loop': { exitCode: 1, reason: 'Error', runs: false },
  oom: { exitCode: 137, reason: 'OOMKilled', runs: true },
  exit: { exitCode: 1, reason: 'Error', runs: true },
};
/** As kubelet's. */
const backoff = { firstMs: 10_000, longestMs: 300_000 };

/** What a failure's name stands for, where containers end. */
export function crashOf(failure: string | undefined): Crash | undefined {
  return failure === undefined ? undefined : crashes[failure];
}

/** Whether kubelet starts a container again that has failed. */
export function restartsFailed({ spec }: Pod): boolean {
  return spec?.restartPolicy !== 'Never';
}

/** Milliseconds that a container waits after so many starts again. */
export function crashBackoffMs(restarts: number): number {
  return backoffMs(Math.max(0, restarts - 1), backoff);
}

/** Whether the pod's containers wait to be started again. */
export function isBackingOff({ status }: Pod): boolean {
  return (status?.containerStatuses ?? []).some(({ state }) => state?.waiting?.reason === 'CrashLoopBackOff');
}

/** A container that has just ended and waits. */
export function crashed(
  status: ContainerStatus,
  { crash, nowMs, pod }: { readonly crash: Crash; readonly nowMs: number; readonly pod: Pod },
): ContainerStatus {
  const restartCount = (status.restartCount ?? 0) + 1;
  const { name = '', namespace = '', uid = '' } = pod.metadata ?? {};
  const now = formatTime(nowMs);
  const { exitCode, reason } = crash;
  return {
    ...status,
    ready: false,
    started: false,
    restartCount,
    state: {
      waiting: {
        reason: 'CrashLoopBackOff',
        message:
          `back-off ${durationText(crashBackoffMs(restartCount))} restarting failed container=${status.name} ` +
          `pod=${name}_${namespace}(${uid})`,
      },
    },
    lastState: {
      terminated: {
        exitCode,
        reason,
        startedAt: status.state?.running?.startedAt ?? now,
        finishedAt: now,
        ...(status.containerID === undefined ? {} : { containerID: status.containerID }),
      },
    },
  };
}

/** As Go prints durations of whole seconds: `10s`, `1m20s`, `5m0s`. */
function durationText(ms: number): string {
  const seconds = ms / 1_000;
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}
