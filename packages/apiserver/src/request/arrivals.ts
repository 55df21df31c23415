import { systemClock, type TimerClock } from '@kubechain/apimachinery';
import { FairQueue } from './fair-queue.ts';

/** So many are handed on between two looks at the sockets: some ten milliseconds of work. */
const AT_ONCE = 64;
/** No further one after so many ms: a selector of thousands of requirements takes ten of them alone. */
const MOST_MS = 10;

/** Hands a request on; `waited` says that others came between, in whose time it may have been reset. Must not throw. */
type Begin = (waited: boolean) => void;

/**
 * Requests on their way to their handlers. Before flow control can hold any back, each has to be read, and at the
 * secure port authenticated: of thousands that come at once, on as many streams of as many connections, some are handed
 * on at a time, and owners (connections; behind the first process users) take turns, so that what somebody else asks
 * waits for some and not for all.
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
