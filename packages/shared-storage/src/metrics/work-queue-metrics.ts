import type { TimerClock } from '@kubechain/apimachinery';
import { exponentialBounds } from './exponential-bounds.ts';
import type { HistogramCell } from './histogram-cell.ts';
import type { HistogramFamily, ValueCell, ValueFamily } from './metric-family.ts';
import { MetricRegistry } from './metric-registry.ts';

/** From 10 ns on, ten buckets (component-base/metrics/prometheus/workqueue). */
const bounds = exponentialBounds(10e-9, 10, 10);

/** What one queue counts. Keys are compared as the queue compares them. */
export interface QueueMetrics<K> {
  /** The key was taken in, to be worked on now or when `done` says so. */
  added(key: K): void;
  /** A worker has taken the key. */
  taken(key: K): void;
  done(key: K): void;
  /** The key was given a time to come back at. */
  retried(): void;
}

/** A queue as it is now. */
interface FollowedQueue {
  readonly name: string;
  /** Keys that wait to be taken. */
  readonly length: () => number;
  /** When work was begun on each key that is not done. */
  readonly running: ReadonlyMap<unknown, number>;
}

/** `workqueue_*` of a process, with client-go's names, labels and buckets. Queues of one name are counted together. */
export class WorkQueueMetrics {
  readonly registry: MetricRegistry;
  readonly #now: () => number;
  readonly #queues: FollowedQueue[] = [];
  readonly #adds: ValueFamily;
  readonly #waits: HistogramFamily;
  readonly #work: HistogramFamily;
  readonly #retries: ValueFamily;

  /** @param registry where they are shown; default one of their own */
  constructor(clock: Pick<TimerClock, 'now'>, registry: MetricRegistry = new MetricRegistry()) {
    this.#now = () => clock.now();
    this.registry = registry;
    const labelNames = ['name'];
    this.#adds = registry.counter(
      'workqueue_adds_total',
      '[BETA] Total number of adds handled by workqueue',
      labelNames,
    );
    this.#waits = registry.histogram(
      'workqueue_queue_duration_seconds',
      '[BETA] How long in seconds an item stays in workqueue before being requested.',
      { labelNames, bounds },
    );
    this.#work = registry.histogram(
      'workqueue_work_duration_seconds',
      '[BETA] How long in seconds processing an item from workqueue takes.',
      { labelNames, bounds },
    );
    this.#retries = registry.counter(
      'workqueue_retries_total',
      '[BETA] Total number of retries handled by workqueue',
      labelNames,
    );
    this.#gauge('workqueue_depth', '[BETA] Current depth of workqueue', (queues) =>
      queues.reduce((sum, { length }) => sum + length(), 0),
    );
    this.#gauge(
      'workqueue_unfinished_work_seconds',
      "[BETA] How many seconds of work has done that is in progress and hasn't been observed by work_duration. Large " +
        'values indicate stuck threads. One can deduce the number of stuck threads by observing the rate at which ' +
        'this increases.',
      (queues) => this.#ages(queues).reduce((sum, age) => sum + age, 0),
    );
    this.#gauge(
      'workqueue_longest_running_processor_seconds',
      '[BETA] How many seconds has the longest running processor for workqueue been running.',
      (queues) => Math.max(0, ...this.#ages(queues)),
    );
  }

  /** Counts for one queue. `length` says how many keys wait; default those that were added and not taken. */
  queue<K = string>(name: string, length?: () => number): QueueMetrics<K> {
    const running = new Map<K, number>();
    const retries = this.#retries.cell(name);
    const adds = this.#adds.cell(name);
    // Shown from the start, as client-go does: rates begin with the first.
    for (const cell of [adds, retries]) cell.set(cell.value);
    const queue = new CountedQueue<K>({
      now: this.#now,
      running,
      retries,
      adds,
      waits: this.#waits.cell(name),
      work: this.#work.cell(name),
    });
    this.#queues.push({ name, length: length ?? (() => queue.waiting), running });
    return queue;
  }

  #gauge(name: string, help: string, valueOf: (queues: readonly FollowedQueue[]) => number): void {
    this.registry.collected({ name, help, type: 'gauge' }, () =>
      [...Map.groupBy(this.#queues, (queue) => queue.name)].map(([queue, queues]) => ({
        value: valueOf(queues),
        labels: { name: queue },
      })),
    );
  }

  /** Seconds that work on keys has gone on for. */
  #ages(queues: readonly FollowedQueue[]): number[] {
    const nowMs = this.#now();
    return queues.flatMap(({ running }) => [...running.values()].map((startedMs) => (nowMs - startedMs) / 1_000));
  }
}

interface Cells<K> {
  readonly now: () => number;
  readonly running: Map<K, number>;
  readonly adds: ValueCell;
  readonly retries: ValueCell;
  readonly waits: HistogramCell;
  readonly work: HistogramCell;
}

class CountedQueue<K> implements QueueMetrics<K> {
  readonly #cells: Cells<K>;
  readonly #addedMs = new Map<K, number>();

  constructor(cells: Cells<K>) {
    this.#cells = cells;
  }

  /** Keys that were added and not taken. */
  get waiting(): number {
    return this.#addedMs.size;
  }

  added(key: K): void {
    this.#cells.adds.inc();
    if (!this.#addedMs.has(key)) this.#addedMs.set(key, this.#cells.now());
  }

  taken(key: K): void {
    const { now, running, waits } = this.#cells;
    const nowMs = now();
    running.set(key, nowMs);
    const addedMs = this.#addedMs.get(key);
    if (addedMs === undefined) return;
    this.#addedMs.delete(key);
    waits.observe((nowMs - addedMs) / 1_000);
  }

  done(key: K): void {
    const { now, running, work } = this.#cells;
    const startedMs = running.get(key);
    if (startedMs === undefined) return;
    running.delete(key);
    work.observe((now() - startedMs) / 1_000);
  }

  retried(): void {
    this.#cells.retries.inc();
  }
}

/** Does `work` on a key of a queue that is counted, or is not. @throws what `work` does */
export async function counted<K>(queue: QueueMetrics<K> | undefined, key: K, work: () => Promise<void>): Promise<void> {
  queue?.taken(key);
  try {
    await work();
  } finally {
    queue?.done(key);
  }
}
