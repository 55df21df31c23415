import { FairQueue, systemClock, type TimerClock } from '@kubechain/apimachinery';

/** A step that took longer, in ms, is followed by a while without one. */
const LONG_MS = 20;
/** That while, in ms: what others ask for goes to the store and back in it. */
const REST_MS = 5;
/** A timer that is so late, in ms, found the loop at work for others: they get as long as the step took. */
const LATE_MS = 2;
/** What short requests do between two looks at the sockets, in ms, before those that came with them take turns. */
const CROWDED_MS = 10;

export interface TurnQueueOptions {
  readonly clock?: TimerClock;
  /**
   * Whether short steps add up to a long one. Default: each counts by itself. To be set where there is no end of them:
   * what others ask for takes ten turns of the loop, and would meet as many of them.
   */
  readonly sums?: boolean;
}

/**
 * Whose turn of the event loop it is: however many requests have a long step to make, one of them is made between two
 * looks at what has come in, so that others wait for one step at most. Users take turns.
 */
export class TurnQueue {
  readonly #clock: TimerClock;
  readonly #sums: boolean;
  readonly #waiting = new FairQueue<() => void>();
  #scheduled = false;
  /** When the last one was given its turn. */
  #gaveAt = 0;
  /** What was taken since others had a while. */
  #takenMs = 0;
  /** When the first of the short requests of this turn of the loop was begun; undefined: there was none. */
  #crowdBeganAt: number | undefined;
  /** Short steps that wait: many of them are made between two looks at the sockets. */
  readonly #short = new FairQueue<() => void>();
  /** The same of the first of these that was given its turn. */
  #shortBeganAt: number | undefined;

  constructor({ clock = systemClock, sums = false }: TurnQueueOptions = {}) {
    this.#clock = clock;
    this.#sums = sums;
  }

  /**
   * To be asked before a short step, which needs no turn by itself: whether it does now, because of how long others
   * have worked that came with the same look at the sockets, or because some of them wait still: nobody who comes later
   * goes before them. A hundred short steps at once are a long one.
   */
  isCrowded(): boolean {
    if (this.#short.size > 0) return true;
    const now = this.#clock.now();
    if (this.#crowdBeganAt === undefined) {
      this.#crowdBeganAt = now;
      setImmediate(() => {
        this.#crowdBeganAt = undefined;
      });
    }
    return now - this.#crowdBeganAt >= CROWDED_MS;
  }

  /** Resolves as `take`, before a short step: others may follow until these have worked for a while together. */
  takeShort(user: string): Promise<void> {
    return new Promise((resolve) => {
      this.#short.push(user, resolve);
      setImmediate(this.#giveShort);
    });
  }

  /** Once for each that waits. The step is made before the next one is given its turn. */
  readonly #giveShort = (): void => {
    const now = this.#clock.now();
    if (this.#shortBeganAt === undefined) {
      this.#shortBeganAt = now;
      // Before those that are put off here: they come behind it.
      setImmediate(() => {
        this.#shortBeganAt = undefined;
      });
    }
    if (now - this.#shortBeganAt >= CROWDED_MS) setImmediate(this.#giveShort);
    else this.#short.shift()?.();
  };

  /** Resolves when the loop has been around, and it is this user's turn. */
  take(user: string): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(user, resolve);
      if (this.#scheduled) return;
      this.#scheduled = true;
      this.#soon();
    });
  }

  /** What is set within one is run a turn later: sockets are read in between. */
  #soon(): void {
    setImmediate(() => {
      this.#give();
    });
  }

  #give(): void {
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#scheduled = false;
      return;
    }
    this.#gaveAt = this.#clock.now();
    next();
    // The step is made before this runs.
    setImmediate(() => {
      this.#takenMs = (this.#sums ? this.#takenMs : 0) + this.#clock.now() - this.#gaveAt;
      if (this.#takenMs < LONG_MS) this.#give();
      else this.#rest(this.#takenMs);
    });
  }

  /** @param mostMs as long as others may have */
  #rest(mostMs: number): void {
    this.#takenMs = 0;
    const began = this.#clock.now();
    this.#clock.setTimer(() => {
      const tookMs = this.#clock.now() - began;
      if (tookMs > REST_MS + LATE_MS && tookMs < mostMs) this.#rest(mostMs - tookMs);
      else this.#soon();
    }, REST_MS);
  }
}
