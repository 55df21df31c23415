import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { giveBackMemory } from './give-back-memory.ts';
import { RestCollector, type ProcessState } from './rest-collector.ts';
import { turnsOfThread } from './thread-turns.ts';

const LOOK_MS = 2_000;

/** Collects garbage of the thread that has it. */
type Collect = NonNullable<typeof globalThis.gc>;

/** What `--expose-gc` gives, in a process that was started without; threads that begin later have it, too. */
export function exposeGC(): Collect {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as Collect;
}

/**
 * Has this thread's garbage collected, and free memory given back, when the process is at rest. Does nothing where Node
 * has no `gc` for it.
 */
export function collectAtRest(gc: Collect | undefined = globalThis.gc, turnsNow = turnsOfThread): void {
  if (gc === undefined) return;
  let beforeMs = performance.now();
  let before = process.cpuUsage();
  let turnsBefore = turnsNow();
  const state = (): ProcessState => {
    const nowMs = performance.now();
    const now = process.cpuUsage();
    const load = (now.system + now.user - before.system - before.user) / 1_000 / (nowMs - beforeMs);
    beforeMs = nowMs;
    before = now;
    const turns = turnsNow();
    const ranMs = turns.ranMs - turnsBefore.ranMs;
    const waitedMs = turns.waitedMs - turnsBefore.waitedMs;
    turnsBefore = turns;
    const heap = getHeapStatistics();
    return {
      load,
      ranMs,
      waitedMs,
      heapBytes: heap.total_heap_size,
      usedBytes: heap.used_heap_size,
      externalBytes: heap.external_memory,
      residentBytes: process.memoryUsage.rss(),
    };
  };
  const collector = new RestCollector(state, {
    // The regular flavor leaves the young generation as large as it has grown.
    collect: () => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' }),
    giveBack: giveBackMemory,
  });
  setInterval(() => collector.look(), LOOK_MS).unref();
}
