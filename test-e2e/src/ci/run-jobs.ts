import { join } from 'node:path';
import type { Job, Outcome } from './job.ts';
import { nextJob, stranded } from './next-job.ts';
import { runJob } from './run-job.ts';

/** The longest job takes a third of it on a busy machine: what takes longer hangs. */
const JOB_TIMEOUT_MS = 45 * 60_000;

export interface RunJobsOptions {
  readonly cwd: string;
  /** Sum of the loads that may run at the same time. */
  readonly capacity: number;
  /** A folder that is there, for what jobs print. */
  readonly logFolder: string;
  /** Kills what runs; the rest does not begin. */
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
  readonly onStart?: (job: Job) => void;
  /** `logFile`: what it printed; undefined when it did not run. */
  readonly onEnd?: (outcome: Outcome, logFile: string | undefined) => void;
}

/**
 * Runs jobs side by side, each once what it needs has passed; a failure stops only what needs it. Resolves to all
 * outcomes.
 */
export async function runJobs(jobs: readonly Job[], options: RunJobsOptions): Promise<readonly Outcome[]> {
  const { cwd, capacity, logFolder, signal, timeoutMs = JOB_TIMEOUT_MS, onStart, onEnd } = options;
  const outcomes: Outcome[] = [];
  const running = new Map<Job, Promise<void>>();
  let waiting = jobs;
  const end = (outcome: Outcome, logFile?: string): void => {
    outcomes.push(outcome);
    onEnd?.(outcome, logFile);
  };
  const leaveOut = (job: Job, reason: string, kind: 'not run' | 'left out' = 'not run'): void => {
    waiting = waiting.filter((other) => other !== job);
    end({ job, kind, seconds: 0, passed: 0, failed: kind === 'not run' ? 1 : 0, reason });
  };
  const named = (...kinds: readonly Outcome['kind'][]): ReadonlySet<string> =>
    new Set(outcomes.filter(({ kind }) => kinds.includes(kind)).map(({ job }) => job.name));
  const start = (job: Job): void => {
    waiting = waiting.filter((other) => other !== job);
    onStart?.(job);
    const logFile = join(logFolder, `${jobs.indexOf(job)}.log`);
    running.set(
      job,
      runJob(job, { cwd, logFile, timeoutMs, signal }).then((outcome) => {
        running.delete(job);
        end(outcome, logFile);
      }),
    );
  };
  for (;;) {
    for (const [kind, lost] of [
      ['not run', named('failed', 'not run')],
      ['left out', named('left out')],
    ] as const)
      for (const [name, missing] of stranded(waiting, lost))
        leaveOut(
          jobs.find((job) => job.name === name)!,
          `it needs ${missing}`,
          kind,
        );
    if (signal.aborted) for (const job of waiting) leaveOut(job, 'interrupted');
    const next = nextJob({ waiting, running: [...running.keys()], passed: named('passed'), capacity });
    if (next !== undefined) start(next);
    else if (running.size > 0) await Promise.race(running.values());
    else break;
  }
  for (const job of waiting) leaveOut(job, 'it could never begin');
  return outcomes;
}
