import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

/** Lets the processes that have just started finish their own work first. */
const DELAY_MS = 1000;

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));

/**
 * Makes a new bundle for the next start, at the lowest priority, in a process that nobody waits for. Returns at once.
 */
export function rebuildInBackground(): void {
  setTimeout(() => {
    const child = spawn(process.execPath, [MAIN], { stdio: 'ignore', detached: true });
    // No bundle, then: the next start tries again.
    child.on('error', () => undefined);
    try {
      if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    } catch {
      // It ended already.
    }
    child.unref();
  }, DELAY_MS).unref();
}
