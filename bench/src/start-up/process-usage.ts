import { readFileSync } from 'node:fs';

/** What a process has used since it began. */
export interface ProcessUsage {
  /** User and system time of all its threads. */
  readonly cpuMs: number;
  readonly rssBytes: number;
}

/** Linux's unit of processor time, in milliseconds (USER_HZ, 100 on every platform that Node supports). */
const TICK_MS = 10;

/** Reads /proc; undefined where there is none, or no such process. */
export function processUsage(pid: number): ProcessUsage | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is a name in brackets that may hold blanks: fields are counted behind it, user time is the 12th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const rss = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return { cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS, rssBytes: Number(rss ?? 0) * 1024 };
  } catch {
    return undefined;
  }
}
