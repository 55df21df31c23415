import { readFileSync } from 'node:fs';

const pageBytes = 4_096;
/** Of Linux's USER_HZ, which is 100 on all its platforms that Node runs on. */
const ticksPerSecond = 100;

/** What the machine records of a process (Linux); nothing where it does not, or when the process is gone. */
export function processRecord(pid: number): { readonly rssBytes?: number; readonly processorSeconds?: number } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in brackets, may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return {
      rssBytes: Number(fields[21]) * pageBytes,
      processorSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
    };
  } catch {
    return {};
  }
}
