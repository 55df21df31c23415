import type { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { watchdogSlots } from './watch-loop.ts';

/** How often an event loop was held for longer than a second, and for how long together. */
export interface Stalls {
  readonly count: number;
  readonly totalMs: number;
}

/** @param shared see `watchdogSlots` */
export function stallsOf(shared: Int32Array): Stalls {
  return {
    count: Atomics.load(shared, watchdogSlots.stalls),
    totalMs: Atomics.load(shared, watchdogSlots.stalledMs),
  };
}

/** Makes the numbers part of /metrics. */
export function registerStalls(registry: MetricRegistry, shared: Int32Array): void {
  registry.collected(
    {
      name: 'kubechain_event_loop_stalls_total',
      type: 'counter',
      help: 'Times that one piece of work held the event loop for longer than a second',
    },
    () => [{ value: stallsOf(shared).count, labels: {} }],
  );
  registry.collected(
    {
      name: 'kubechain_event_loop_stalled_seconds_total',
      type: 'counter',
      help: 'Seconds of work that held the event loop for longer than a second',
    },
    () => [{ value: stallsOf(shared).totalMs / 1_000, labels: {} }],
  );
}

/** The longest time that the shared memory can say: 24 days. */
const mostMs = 2 ** 31 - 1;

/** How long one piece of work may hold the loop; longer than 24 days is these. 0: as long as it likes. */
export function storeEndAfter(shared: Int32Array, milliseconds: number): void {
  Atomics.store(shared, watchdogSlots.endAfterMs, Math.min(milliseconds, mostMs));
}

/** Memory that a thread shares with the one that watches over it. */
export function watchdogMemory(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4 * Object.keys(watchdogSlots).length));
}
