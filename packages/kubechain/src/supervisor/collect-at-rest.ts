import { getHeapStatistics } from 'node:v8';
import { RestCollector, type ProcessState } from './rest-collector.ts';

const LOOK_MS = 2_000;

/** Has garbage collected when this process is at rest, where Node was started with --expose-gc. */
export function collectAtRest(): void {
  const { gc } = globalThis;
  if (gc === undefined) return;
  let beforeMs = performance.now();
  let before = process.cpuUsage();
  const state = (): ProcessState => {
    const nowMs = performance.now();
    const now = process.cpuUsage();
    const load = (now.system + now.user - before.system - before.user) / 1_000 / (nowMs - beforeMs);
    beforeMs = nowMs;
    before = now;
    const heap = getHeapStatistics();
    return {
      load,
      heapBytes: heap.total_heap_size,
      usedBytes: heap.used_heap_size,
      externalBytes: heap.external_memory,
    };
  };
  // The regular flavor leaves the young generation as large as it has grown.
  const collector = new RestCollector(state, () => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' }));
  setInterval(() => collector.look(), LOOK_MS).unref();
}
