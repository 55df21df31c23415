import type { CronJob } from '@kubechain/apimachinery/types/batch/v1';
import { nextStartMs, type CronSchedule } from '@kubechain/component-helpers';

/** Timers and other machines' clocks are not exact: a start is looked for this much after its time. */
const slackMs = 100;
/** More starts than these, and the user is told that something is wrong. */
const many = 100;

/** The start that is due, if any, and how many there were since the last one that was made. */
export type DueStart =
  | { readonly kind: 'none' }
  | { readonly kind: 'due'; readonly startMs: number; readonly tooMany: boolean }
  /** The schedule names days that there are not. */
  | { readonly kind: 'impossible' };

/** The last start that was to be, and is not too late by `startingDeadlineSeconds` (nextScheduleTime, 1.36). */
export function dueStart(cronJob: CronJob, schedule: CronSchedule, nowMs: number): DueStart {
  const { startingDeadlineSeconds } = cronJob.spec;
  const known = knownSinceMs(cronJob);
  const sinceMs =
    startingDeadlineSeconds === undefined ? known : Math.max(known, nowMs - startingDeadlineSeconds * 1_000);
  const { impossible, missed, startMs } = lastStart(schedule, sinceMs, nowMs);
  if (impossible) return { kind: 'impossible' };
  return startMs === undefined ? { kind: 'none' } : { kind: 'due', startMs, tooMany: missed > many };
}

/** Milliseconds until the next start is to be looked for; 0 when there is none (nextScheduleTimeDuration, 1.36). */
export function nextStartInMs(cronJob: CronJob, schedule: CronSchedule, nowMs: number): number {
  const sinceMs = knownSinceMs(cronJob);
  const { impossible, missed, startMs } = lastStart(schedule, sinceMs, nowMs);
  const fromMs = impossible ? nowMs : (startMs ?? (missed === 0 ? sinceMs : nowMs));
  const next = nextStartMs(schedule, fromMs);
  return next === undefined ? 0 : next + slackMs - nowMs;
}

function knownSinceMs({ metadata, status }: CronJob): number {
  const text = status?.lastScheduleTime ?? metadata?.creationTimestamp;
  return typeof text === 'string' ? Date.parse(text) : 0;
}

/**
 * The last start in a span, and about how many there were: starts are counted by the distance of the first two, so that
 * a long time costs no more than a short one.
 */
function lastStart(
  schedule: CronSchedule,
  sinceMs: number,
  nowMs: number,
): { readonly startMs?: number; readonly missed: number; readonly impossible: boolean } {
  const first = nextStartMs(schedule, sinceMs);
  if (first === undefined) return { missed: 0, impossible: true };
  if (nowMs < first) return { missed: 0, impossible: false };
  const second = nextStartMs(schedule, first);
  if (second === undefined) return { missed: 0, impossible: true };
  if (nowMs < second) return { startMs: first, missed: 0, impossible: false };
  const missed = Math.floor((nowMs - first) / (second - first)) + 1;
  let startMs: number | undefined;
  // One distance before the last that was counted, for schedules that are not even.
  let next = nextStartMs(schedule, first + (missed - 2) * (second - first));
  while (next !== undefined && next <= nowMs) {
    startMs = next;
    next = nextStartMs(schedule, next);
  }
  return { missed, impossible: false, ...(startMs === undefined ? {} : { startMs }) };
}
