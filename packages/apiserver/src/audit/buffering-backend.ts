import { append, sleep, TokenBucket, type Timer, type TimerClock } from '@kubechain/apimachinery';
import type { AuditMetrics } from './audit-metrics.ts';
import type { AuditBackend, AuditEvent } from './audit-event.ts';

export interface BufferOptions {
  /** Events that may wait; more are dropped. */
  readonly bufferSize: number;
  readonly maxBatchSize: number;
  /** Longest that a batch that is not full waits for more. */
  readonly maxBatchWaitMs: number;
  /** Batches a second, and how many at once; undefined: no limit. */
  readonly throttle: { readonly perSecond: number; readonly burst: number } | undefined;
  /** Whether a batch may go before the one before has been taken. */
  readonly sideBySide: boolean;
  readonly clock: TimerClock;
  readonly metrics: AuditMetrics;
}

/** Longest that closing waits for a backend that does not take what is left. */
const closeTimeoutMs = 10_000;

/**
 * Takes events at once and hands them on in batches (plugin/pkg/audit/buffered, 1.36).
 *
 *     process → waiting (at most bufferSize, more are dropped) → throttle → next
 */
export class BufferingBackend implements AuditBackend {
  readonly holds = 'nothing';
  readonly #next: AuditBackend;
  readonly #options: BufferOptions;
  readonly #bucket: TokenBucket | undefined;
  readonly #sending = new Set<Promise<unknown>>();
  #waiting: AuditEvent[] = [];
  #timer: Timer | undefined;
  #flushing: Promise<void> | undefined;
  #closed = false;

  constructor(next: AuditBackend, options: BufferOptions) {
    const { clock, throttle } = options;
    this.#next = next;
    this.#options = options;
    this.#bucket = throttle === undefined ? undefined : new TokenBucket(throttle.perSecond, throttle.burst, clock);
  }

  process(events: readonly AuditEvent[]): boolean {
    const room = this.#closed ? 0 : Math.max(0, this.#options.bufferSize - this.#waiting.length);
    append(this.#waiting, events.slice(0, room));
    if (events.length > room)
      this.#options.metrics.lost(
        'buffered',
        this.#closed ? 'audit backend shut down' : 'audit buffer queue blocked',
        events.slice(room),
      );
    this.#schedule();
    return true;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#flush();
    const done = new AbortController();
    await Promise.race([this.#drained(), sleep(this.#options.clock, closeTimeoutMs, done.signal)]);
    done.abort();
    await this.#next.close();
  }

  async #drained(): Promise<void> {
    while (this.#flushing !== undefined) await this.#flushing;
    await Promise.all(this.#sending);
  }

  #schedule(): void {
    const { clock, maxBatchSize, maxBatchWaitMs } = this.#options;
    if (this.#waiting.length === 0 || this.#flushing !== undefined) return;
    if (this.#waiting.length >= maxBatchSize || this.#closed) this.#flush();
    else
      this.#timer ??= clock.setTimer(() => {
        this.#flush();
      }, maxBatchWaitMs);
  }

  #flush(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#flushing ??= this.#send().finally(() => {
      this.#flushing = undefined;
      this.#schedule();
    });
  }

  /** One batch, even if it is not full, and then those that are. */
  async #send(): Promise<void> {
    const { clock, maxBatchSize, sideBySide } = this.#options;
    for (let first = true; this.#waiting.length > 0; first = false) {
      if (!first && !this.#closed && this.#waiting.length < maxBatchSize) return;
      const waitMs = this.#bucket?.reserve() ?? 0;
      if (waitMs > 0) await sleep(clock, waitMs);
      const taken = Promise.resolve(this.#next.process(this.#waiting.splice(0, maxBatchSize)));
      if (!sideBySide) await taken;
      else {
        this.#sending.add(taken);
        void taken.finally(() => this.#sending.delete(taken));
      }
    }
  }
}
