import type { Timer, TimerClock } from '@kubechain/apimachinery';

/** Something that can be made again from what is kept. */
export interface Releasable {
  /** Forgets what has been made; whoever works with it goes on doing so. */
  release(): void;
}

export interface PartsInUseOptions {
  readonly clock: TimerClock;
  /** So many are kept however long nobody has used them. */
  readonly kept: number;
  /** What has not been used for between one and two of these is released. */
  readonly periodMs: number;
}

/**
 * Releases what nobody has used for a while, once there are many, those that have been idle for longest first.
 *
 *     use ─► recent ── sweep ─► before ── sweep, if not used meanwhile and more than `kept` ─► released
 *              ▲                   │ use
 *              └───────────────────┘
 */
export class PartsInUse {
  readonly #options: PartsInUseOptions;
  readonly #recent = new Set<Releasable>();
  /** In the order of their last use, as far as that is known. */
  readonly #before = new Set<Releasable>();
  #timer: Timer | undefined;

  constructor(options: PartsInUseOptions) {
    this.#options = options;
  }

  /** Takes note of a use; cheap. */
  use(part: Releasable): void {
    if (this.#recent.has(part)) return;
    this.#recent.add(part);
    this.#before.delete(part);
    if (this.#timer === undefined) this.#schedule();
  }

  #schedule(): void {
    const { clock, periodMs } = this.#options;
    this.#timer = clock.setTimer(() => {
      this.#schedule();
      this.sweep();
    }, periodMs);
  }

  /** Nobody will use it any more. */
  forget(part: Releasable): void {
    this.#recent.delete(part);
    this.#before.delete(part);
  }

  /** The end of a period. */
  sweep(): void {
    for (const part of this.#before) {
      if (this.#before.size + this.#recent.size <= this.#options.kept) break;
      this.#before.delete(part);
      part.release();
    }
    for (const part of this.#recent) this.#before.add(part);
    this.#recent.clear();
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }
}
