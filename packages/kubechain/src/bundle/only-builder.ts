import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';

/** A builder that takes longer was killed, and its process id is somebody else's by now. In ms. */
const LONGEST_BUILD_MS = 10 * 60_000;

/**
 * Does the work unless another process is at the same: a dozen chains of one checkout that start after its sources have
 * changed would each make the same bundle. Who it is stands in `lockFile`, whose folder must be there.
 * @returns whether the work was done
 * @throws what the work does, and what a file system does that cannot be written to
 */
export async function unlessUnderWay(lockFile: string, work: () => Promise<unknown>): Promise<boolean> {
  if (!take(lockFile)) {
    if (isUnderWay(lockFile)) return false;
    rmSync(lockFile, { force: true });
    if (!take(lockFile)) return false;
  }
  try {
    await work();
    return true;
  } finally {
    rmSync(lockFile, { force: true });
  }
}

function take(lockFile: string): boolean {
  try {
    writeFileSync(lockFile, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function isUnderWay(lockFile: string): boolean {
  try {
    if (Date.now() - statSync(lockFile).mtimeMs > LONGEST_BUILD_MS) return false;
    const pid = Number(readFileSync(lockFile, 'utf8'));
    // Between its creation and its content: a builder that has just begun.
    if (pid === 0) return true;
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
