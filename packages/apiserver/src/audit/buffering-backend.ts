import { limits, sleep, TokenBucket, type Timer, type TimerClock } from '@kubechain/apimachinery';
import type { AuditMetrics } from './audit-metrics.ts';
import { eventText, keptSize, textSize, writtenEvent, type AuditBackend, type AuditEvent } from './audit-event.ts';

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

interface Waiting {
  readonly event: AuditEvent;
  /** Of its text. */
  readonly bytes: number;
  /** Of memory that it takes. */
  readonly kept: number;
}

/** Longest that closing waits for a backend that does not take what is left. */
const closeTimeoutMs = 10_000;

/**
 * Takes events at once and hands them on in batches (plugin/pkg/audit/buffered, 1.36).
 *
 *     process → waiting (at most bufferSize, more are dropped) → throttle → next
 *               └──────── limits.auditBuffer, more are dropped ────────────┘
 *
 * Each is written as JSON when it comes: so its size is known, and a batch holds nobody up. A batch ends before it
 * would be larger than limits.auditBatch; one event goes however large it is, and waits where nothing else does.
 */
export class BufferingBackend implements AuditBackend {
  readonly holds = 'nothing';
  readonly #next: AuditBackend;
  readonly #options: BufferOptions;
  readonly #bucket: TokenBucket | undefined;
  readonly #sending = new Set<Promise<unknown>>();
  readonly #waiting: Waiting[] = [];
  #waitingBytes = 0;
  /** Of memory, with what has gone and is not taken. */
  #kept = 0;
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
    const taken = this.#closed ? 0 : this.#take(events);
    if (events.length > taken)
      this.#options.metrics.lost(
        'buffered',
        this.#closed ? 'audit backend shut down' : 'audit buffer queue blocked',
        events.slice(taken),
      );
    this.#schedule();
    return true;
  }

  /** How many there is room for. */
  #take(events: readonly AuditEvent[]): number {
    for (const [i, given] of events.entries()) {
      if (this.#waiting.length >= this.#options.bufferSize) return i;
      const event = writtenEvent(given);
      const bytes = textSize(eventText(event));
      const kept = keptSize(eventText(event));
      if (this.#kept > 0 && this.#kept + kept > limits.auditBuffer.value) return i;
      this.#waiting.push({ event, bytes, kept });
      this.#waitingBytes += bytes;
      this.#kept += kept;
    }
    return events.length;
  }

  /** Whether what waits is a batch that has no room for more. */
  get #full(): boolean {
    return this.#waiting.length >= this.#options.maxBatchSize || this.#waitingBytes >= limits.auditBatch.value;
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
    const { clock, maxBatchWaitMs } = this.#options;
    if (this.#waiting.length === 0 || this.#flushing !== undefined) return;
    if (this.#full || this.#closed) this.#flush();
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
    const { clock, sideBySide } = this.#options;
    for (let first = true; this.#waiting.length > 0; first = false) {
      if (!first && !this.#closed && !this.#full) return;
      const waitMs = this.#bucket?.reserve() ?? 0;
      if (waitMs > 0) await sleep(clock, waitMs);
      const taken = this.#handOn(this.#batch());
      if (!sideBySide) await taken;
      else {
        this.#sending.add(taken);
        void taken.finally(() => this.#sending.delete(taken));
      }
    }
  }

  #batch(): Waiting[] {
    let count = 0;
    let bytes = 0;
    while (count < Math.min(this.#waiting.length, this.#options.maxBatchSize)) {
      const size = (this.#waiting[count] as Waiting).bytes;
      if (count > 0 && bytes + size > limits.auditBatch.value) break;
      bytes += size;
      count++;
    }
    this.#waitingBytes -= bytes;
    return this.#waiting.splice(0, count);
  }

  async #handOn(batch: readonly Waiting[]): Promise<void> {
    await this.#next.process(batch.map(({ event }) => event));
    for (const { kept } of batch) this.#kept -= kept;
  }
}
