import { StorageError } from '../storage/errors.ts';
import type { TimerClock } from '@kubechain/apimachinery';

/*
 *            started            synced
 *   idle ─────────────▶ pending ◀──────▶ ready
 *     │                    │      lost     │
 *     └────────────────────┴───────────────┴──▶ stopped
 */
export type ReadyStatus = 'idle' | 'pending' | 'ready' | 'stopped';

/** A request that meets a cache which has never been filled waits this long for it, then it is told to come again. */
const FIRST_FILL_TIMEOUT_MS = 3000;

/** Whether the cache can be read, and since when; `generation` counts how often it became ready. */
export class ReadyState {
  readonly #clock: TimerClock;
  readonly #fill: () => void;
  #status: ReadyStatus = 'idle';
  #generation = 0;
  #changedAtMs: number;
  #lastError: unknown;
  #waiters: (() => void)[] = [];

  /** @param fill starts to fill the cache; called once, by the first `start` */
  constructor(clock: TimerClock, fill: () => void) {
    this.#clock = clock;
    this.#fill = fill;
    this.#changedAtMs = clock.now();
  }

  get status(): ReadyStatus {
    return this.#status;
  }
  get generation(): number {
    return this.#generation;
  }
  get isReady(): boolean {
    return this.#status === 'ready';
  }
  get lastError(): unknown {
    return this.#lastError;
  }

  /** Begins to fill the cache, if nobody has yet. */
  start(): void {
    if (this.#status !== 'idle') return;
    this.#change('pending');
    this.#fill();
  }

  /**
   * Starts, and waits for the first fill. A cache that has lost its state does not let anybody wait, nor does one whose
   * fill has failed: false means that the caller has to do without.
   */
  async firstFill(): Promise<boolean> {
    this.start();
    if (this.isReady) return true;
    if (this.#generation > 0 || this.#lastError !== undefined) return false;
    return this.wait(FIRST_FILL_TIMEOUT_MS);
  }

  setPending(error?: unknown): void {
    if (error !== undefined) this.#lastError = error;
    this.#change('pending');
  }

  setReady(): void {
    if (this.#status === 'stopped' || this.#status === 'ready') return;
    this.#lastError = undefined;
    this.#generation++;
    this.#change('ready');
  }

  /** For good. */
  stop(): void {
    this.#change('stopped');
  }

  /** Resolves true once ready; false after `timeoutMs`, or when stopped. */
  wait(timeoutMs: number): Promise<boolean> {
    if (this.#status === 'ready') return Promise.resolve(true);
    if (this.#status === 'stopped') return Promise.resolve(false);
    return new Promise((resolve) => {
      const done = (): void => {
        timer.cancel();
        this.#waiters = this.#waiters.filter((waiter) => waiter !== done);
        resolve(this.#status === 'ready');
      };
      const timer = this.#clock.setTimer(done, timeoutMs);
      this.#waiters.push(done);
    });
  }

  /**
   * Why the cache cannot be read now; the retry interval grows with the time that it has been so (watch_cache.go,
   * 1.36).
   */
  error(): StorageError {
    if (this.#status === 'stopped')
      return new StorageError('NotReady', 'apiserver cacher is stopped', { retryAfterSeconds: 1 });
    const reason = this.#lastError instanceof Error ? `: ${this.#lastError.message}` : '';
    const downSeconds = (this.#clock.now() - this.#changedAtMs) / 1000;
    const retryAfterSeconds = Math.floor(Math.min(30, Math.max(1, Math.exp(0.06 * downSeconds))));
    return new StorageError('NotReady', `storage is (re)initializing${reason}`, {
      retryAfterSeconds,
      cause: this.#lastError,
    });
  }

  #change(status: ReadyStatus): void {
    if (this.#status === 'stopped' || this.#status === status) return;
    this.#status = status;
    this.#changedAtMs = this.#clock.now();
    if (status === 'ready' || status === 'stopped') {
      for (const waiter of this.#waiters.splice(0)) waiter();
    }
  }
}
