import { readFileSync } from 'node:fs';

/** What a process has used since it began. */
export interface ProcessUsage {
  /** User and system time of all its threads. */
  readonly cpuMs: number;
  readonly rssBytes: number;
  /**
   * Of its main thread: time on a processor, and time that it could have run but had none; 0 where the kernel does not
   * say.
   */
  readonly mainRunMs: number;
  readonly mainWaitMs: number;
}

/** Linux's unit of processor time, in milliseconds (USER_HZ, 100 on every platform that Node supports). */
const TICK_MS = 10;

/** Reads /proc; undefined where there is none, or no such process. */
export function processUsage(pid: number): ProcessUsage | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is a name in brackets that may hold blanks: fields are counted behind it, user time is the 12th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [runNs = 0, waitNs = 0] = schedule(pid);
    const rss = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return {
      cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
      rssBytes: Number(rss ?? 0) * 1024,
      mainRunMs: runNs / 1e6,
      mainWaitMs: waitNs / 1e6,
    };
  } catch {
    return undefined;
  }
}

/**
 * Bytes that a process has of its own and its share of what it has with others (PSS), as /proc tells; 0 where there is
 * none, or no such process. Takes the kernel some milliseconds.
 */
export function processPSS(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/**
 * Nanoseconds of the main thread on a processor and waiting for one (proc_pid_schedstat); none where the kernel does
 * not count.
 */
function schedule(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ').map(Number);
  } catch {
    return [];
  }
}
