import { systemClock, type Timer, type TimerClock } from '@kubechain/apimachinery';

/** Looks in the time that a probe has. */
const LOOKS = 20;

/**
 * How long a probe of the next process is waited for: a number of looks without a sign of life in between. Where the
 * machine has no processor for this process, its looks come late as well: it does not blame the other one for that.
 */
export class ProbePatience {
  readonly #controller = new AbortController();
  readonly #signs: () => number;
  readonly #clock: TimerClock;
  readonly #everyMs: number;
  #seen: number;
  #silentLooks = 0;
  #timer: Timer | undefined;

  /**
   * @param silentMs the time that all looks take together
   * @param signs counts signs of life other than the probe's answer
   */
  constructor(silentMs: number, signs: () => number, clock: TimerClock = systemClock) {
    this.#signs = signs;
    this.#clock = clock;
    this.#everyMs = silentMs / LOOKS;
    this.#seen = signs();
    this.#next();
  }

  /** Aborted when there was no sign of life for too long. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The probe was answered, or has failed. */
  end(): void {
    this.#timer?.cancel();
  }

  #next(): void {
    this.#timer = this.#clock.setTimer(() => {
      this.#look();
    }, this.#everyMs);
  }

  #look(): void {
    const signs = this.#signs();
    if (signs === this.#seen) this.#silentLooks++;
    else this.#silentLooks = 0;
    this.#seen = signs;
    if (this.#silentLooks < LOOKS) this.#next();
    // After a blocked turn of the event loop timers run before sockets: an answer that is there is not called late.
    else
      setImmediate(() => {
        this.#controller.abort(new Error('no answer in time'));
      });
  }
}
