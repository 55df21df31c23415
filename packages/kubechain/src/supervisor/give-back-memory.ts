/** As the processes that are linked with glibc have it loaded. */
const GLIBC = 'libc.so.6';

/**
 * Has glibc give the machine back what has been freed (its malloc_trim(3)). Of itself it gives back what is free behind
 * all that is in use, so that one small buffer that is kept holds megabytes before it that a burst of requests needed:
 * 8,000 objects of two kinds, written and read, left 97 of a chain's 376 MB so.
 *
 * Holds the calling thread for 6 to 15 ms of a processor for 100 MB, which took 30 to 270 ms where seven threads wanted
 * each processor, and seconds once: for processes at rest, on a busy machine for long (`RestCollector`). From another
 * thread it would hold this one at its next allocation all the same, since glibc locks what it goes through.
 *
 * Node has no call for it. SQLite, which is part of Node, calls a function of a library by name, as extensions of it
 * begin: this one takes a number of bytes to leave at the very end, and whatever it is given there will do. That it
 * answers 1, as it has given back something, is an error to SQLite. Does nothing with another library of C, on another
 * system, or without SQLite's extensions.
 */
export function giveBackMemory(): void {
  if (process.platform !== 'linux') return;
  try {
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
    const database = new DatabaseSync(':memory:', { allowExtension: true });
    try {
      database.loadExtension(GLIBC, 'malloc_trim');
    } finally {
      database.close();
    }
  } catch {
    // Something was given back, or nothing could be.
  }
}
