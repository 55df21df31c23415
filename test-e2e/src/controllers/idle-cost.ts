import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** How long start-up may still have work for controllers. */
const settlingMs = 15_000;
const measuredMs = 20_000;
/** Linux counts processor time in hundredths of a second. */
const tickMs = 10;

/** Processor time of a process so far, in milliseconds (fields 14 and 15 of proc_pid_stat(5)). */
function processorMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

/** Memory of a process, with its share of what others have too, in MB. */
function pssMB(pid: number): number {
  const kB = /^Pss: +(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
  return Number(kB) / 1024;
}

/** What a process takes that has nothing to do. */
export interface IdleCost {
  /** Of a core. */
  readonly percent: number;
  readonly memoryMB: number;
}

/** Waits until a start is over. */
export function settle(): Promise<void> {
  return delay(settlingMs);
}

/** Looks at a process for 20 seconds. */
export async function idleCost(pid: number): Promise<IdleCost> {
  const [beforeMs, startedMs] = [processorMs(pid), performance.now()];
  await delay(measuredMs);
  const percent = ((processorMs(pid) - beforeMs) / (performance.now() - startedMs)) * 100;
  return { percent, memoryMB: pssMB(pid) };
}
