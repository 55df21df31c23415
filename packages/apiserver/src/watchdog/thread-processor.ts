import { readFileSync, readlinkSync } from 'node:fs';

/**
 * Where Linux tells how long this thread ran, for other threads of the process to read; undefined on other systems.
 * Source: proc(5), `/proc/thread-self` and `schedstat`.
 */
export function ownProcessorFile(): string | undefined {
  try {
    // PROCESS/task/THREAD
    const [, , thread = ''] = readlinkSync('/proc/thread-self').split('/');
    const file = `/proc/self/task/${thread}/schedstat`;
    return processorMs(file) === undefined ? undefined : file;
  } catch {
    return undefined;
  }
}

/** Milliseconds of a processor that the thread had; undefined where that is not counted, or the thread is gone. */
export function processorMs(file: string): number | undefined {
  try {
    const [nanoseconds = 0] = readFileSync(file, 'latin1').split(' ').map(Number);
    return nanoseconds > 0 ? nanoseconds / 1e6 : undefined;
  } catch {
    return undefined;
  }
}
