import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** SQLite's SQLITE_BUSY: another connection has the lock. */
const BUSY = 5;

/**
 * Does the work unless another process is at the same: a dozen chains of one checkout that start after its sources have
 * changed would each make the same bundle, and several that start after a crash each clear its traces. `lockFile`,
 * whose folder must be there, is an empty SQLite database that is locked meanwhile, since Node has no call for a file's
 * lock: the system gives that up when the process ends in any way, so that nothing stale is left behind. The file
 * stays: whoever deleted it could let two in.
 * @returns whether the work was done
 * @throws what the work does, and what a file system does that cannot be written to, or has no locks
 */
export async function unlessUnderWay(lockFile: string, work: () => Promise<unknown>): Promise<boolean> {
  const lock = take(lockFile);
  if (lock === undefined) return false;
  try {
    await work();
    return true;
  } finally {
    lock.close();
  }
}

function take(lockFile: string): DatabaseSync | undefined {
  // SQLite would let others read it.
  closeSync(openSync(lockFile, 'a', 0o600));
  const lock = new DatabaseSync(lockFile);
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    if ((error as { readonly errcode?: number }).errcode === BUSY) return undefined;
    throw error;
  }
}
