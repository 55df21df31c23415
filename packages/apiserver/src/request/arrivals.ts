import { FairQueue, systemClock, type TimerClock } from '@kubechain/apimachinery';

/** Requests that are handed on in one turn of the event loop: about ten milliseconds of work. */
const AT_ONCE = 64;
/** Ms after which a turn hands on no further request: one selector with thousands of requirements takes ten. */
const MOST_MS = 10;

/** Hands a request on. `waited`: not at once, so that it may have been reset meanwhile. Must not throw. */
type Begin = (waited: boolean) => void;

/**
 * Requests on their way to their handlers. Flow control can hold a request back only once it has been read and, at the
 * secure port, authenticated. When thousands come at once, on many streams of many connections, they are handed on a
 * few at a time, and their owners take turns (connections at the secure port, users behind it), so that a request of
 * somebody else waits for a few of them, not for all.
 */
export class Arrivals<Owner> {
  readonly #waiting = new FairQueue<Begin, Owner>();
  readonly #atOnce: number;
  readonly #clock: Pick<TimerClock, 'now'>;
  #begun = 0;
  /** When the first since the last look at the sockets was begun. */
  #since = 0;
  #scheduled = false;

  constructor(atOnce = AT_ONCE, clock: Pick<TimerClock, 'now'> = systemClock) {
    this.#atOnce = atOnce;
    this.#clock = clock;
  }

  /** Begins at once, unless there is a crowd. */
  take(owner: Owner, begin: Begin): void {
    this.#schedule();
    if (this.#waiting.peek() === undefined && this.#hasRoom()) {
      this.#begun++;
      begin(false);
    } else this.#waiting.push(owner, begin);
  }

  #hasRoom(): boolean {
    if (this.#begun === 0) {
      this.#since = this.#clock.now();
      return true;
    }
    return this.#begun < this.#atOnce && this.#clock.now() - this.#since < MOST_MS;
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#begun = 0;
      this.#handOn();
    });
  }

  #handOn(): void {
    while (this.#hasRoom()) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#begun++;
      next(true);
    }
    this.#schedule();
  }
}
