import type { Job } from './job.ts';

/** Where a run stands. */
export interface Progress {
  /** In the order in which they should begin. */
  readonly waiting: readonly Job[];
  readonly running: readonly Job[];
  /** Names of the jobs that have passed. */
  readonly passed: ReadonlySet<string>;
  /** Sum of the loads that may run at the same time. */
  readonly capacity: number;
}

/**
 * The job that may begin now, the first in order that there is room for; undefined when one has to end before.
 * Something always runs: a job whose load is above the capacity runs by itself.
 */
export function nextJob({ waiting, running, passed, capacity }: Progress): Job | undefined {
  if (running.some(({ alone }) => alone === true)) return undefined;
  const used = running.reduce((sum, job) => sum + loadOf(job), 0);
  return waiting.find((job) => {
    if (job.needs?.some((name) => !passed.has(name)) === true) return false;
    if (running.length === 0) return job.alone !== true || waiting.every(({ alone }) => alone === true);
    if (job.alone === true || running.some(({ lane }) => lane !== undefined && lane === job.lane)) return false;
    return used + loadOf(job) <= capacity;
  });
}

function loadOf({ load = 1 }: Job): number {
  return load;
}

/** Jobs that can never begin, because one that they need has failed or will not run: name → the job that is missing. */
export function stranded(waiting: readonly Job[], lost: ReadonlySet<string>): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (let before = -1; before < found.size;) {
    before = found.size;
    for (const { name, needs = [] } of waiting) {
      const missing = needs.find((need) => lost.has(need) || found.has(need));
      if (missing !== undefined && !found.has(name)) found.set(name, missing);
    }
  }
  return found;
}

/** Jobs whose names match, and all that they need, in the order of the list. */
export function chosen(jobs: readonly Job[], pattern: RegExp): readonly Job[] {
  const wanted = new Set<string>();
  const want = ({ name, needs = [] }: Job): void => {
    wanted.add(name);
    for (const needed of jobs) if (needs.includes(needed.name)) want(needed);
  };
  for (const job of jobs) if (pattern.test(job.name)) want(job);
  return jobs.filter(({ name }) => wanted.has(name));
}
