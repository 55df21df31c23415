import { readdirSync, readFileSync } from 'node:fs';
import { turnsIn, type ThreadTurns } from './thread-turns.ts';

/** What a thread of some process has had of processors. */
export interface ThreadOfProcess extends ThreadTurns {
  /** It has a processor, or waits for one: it is neither stopped nor blocked. */
  readonly isRunnable: boolean;
}

/**
 * The threads of a process by their ids, as Linux' /proc tells; undefined where that is not there, does not count, or
 * the process has ended.
 */
export function threadsOfProcess(pid: number): ReadonlyMap<string, ThreadOfProcess> | undefined {
  const folder = `/proc/${pid}/task`;
  const threads = new Map<string, ThreadOfProcess>();
  try {
    for (const id of readdirSync(folder)) {
      const thread = threadIn(`${folder}/${id}`);
      if (thread !== undefined) threads.set(id, thread);
    }
  } catch {
    return undefined;
  }
  // A kernel that does not count tells of none that has ever run.
  return [...threads.values()].some(({ ranMs }) => ranMs > 0) ? threads : undefined;
}

/** Undefined: it has ended meanwhile. */
function threadIn(folder: string): ThreadOfProcess | undefined {
  try {
    const stat = readFileSync(`${folder}/stat`, 'latin1');
    // Behind the name, which may have blanks and parentheses itself.
    const state = stat.at(stat.lastIndexOf(')') + 2);
    return { ...turnsIn(`${folder}/schedstat`), isRunnable: state === 'R' };
  } catch {
    return undefined;
  }
}
