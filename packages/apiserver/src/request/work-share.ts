import { countValues, limits, systemClock, type Timer, type TimerClock } from '@kubechain/apimachinery';
import { FairQueue } from './fair-queue.ts';
import { sharerOf } from './sharer.ts';
import { TurnQueue } from './turn-queue.ts';
import { Turns, type WorkOwner } from './turns.ts';

/** Bodies up to this size cost little more than a request without one, and wait for nobody. */
const SMALL_BYTES = 128 * 1024;
/** Each value of a body counts as so many of its bytes, where it has fewer: memory and time go by values, too. */
const BYTES_PER_VALUE = 24;
/** How long somebody waits, in ms, of whom nothing is worked on while others have all the room. */
const PATIENCE_MS = 100;

interface Waiting {
  readonly sharer: string;
  readonly bytes: number;
  readonly sinceMs: number;
  readonly begin: () => void;
}

export interface WorkShareOptions {
  /** Bytes of bodies that are not small; a single one may have more. */
  readonly capacity?: number;
  readonly clock?: TimerClock;
}

/**
 * What the requests of a server share of its thread and its memory. An object may take a hundred times the memory of
 * its body: of bodies that are not small, as many are worked on at a time as have no more bytes together than the limit
 * says, and the others wait. Users take turns.
 *
 * Whoever has some room keeps it as long as the request lasts, webhooks that take half a minute included. So as many
 * bytes again are for those of whom nothing is worked on and who have waited for a while, one body each.
 */
export class WorkShare {
  readonly #turns = new TurnQueue();
  /** Of nobody's request: taken for work that many wait for, which goes on when whoever began it is gone. */
  readonly serverTurns: Pick<Turns, 'before'> = new Turns({ queue: this.#turns });
  readonly #waiting = new FairQueue<Waiting>();
  readonly #capacity: number;
  readonly #clock: TimerClock;
  #underWay = 0;
  /** Bodies that are worked on, by whose they are. */
  readonly #bodies = new Map<string, number>();
  #look: Timer | undefined;

  constructor({ capacity = limits.bodiesAtOnce.value, clock = systemClock }: WorkShareOptions = {}) {
    this.#capacity = capacity;
    this.#clock = clock;
  }

  /** The turns of a request whose body is small, or that has none. */
  turns(owner: WorkOwner): Turns {
    return new Turns({ queue: this.#turns, owner });
  }

  /**
   * The turns of a request with such a body, once there is room for what it will become; they must be ended.
   * @throws the reason of the signal, where the request need not go on when its time has come
   */
  begin(owner: WorkOwner, body: Uint8Array): Turns | Promise<Turns> {
    return body.length <= SMALL_BYTES
      ? this.turns(owner)
      : this.#begin(owner, Math.max(body.length, BYTES_PER_VALUE * countValues(body)));
  }

  async #begin(owner: WorkOwner, bytes: number): Promise<Turns> {
    const sharer = sharerOf(owner.user);
    await new Promise<void>((resolve) => {
      this.#waiting.push(sharer, { sharer, bytes, sinceMs: this.#clock.now(), begin: resolve });
      this.#admit();
    });
    const turns = new Turns({
      queue: this.#turns,
      owner,
      ended: () => {
        this.#underWay -= bytes;
        const left = (this.#bodies.get(sharer) ?? 0) - 1;
        if (left > 0) this.#bodies.set(sharer, left);
        else this.#bodies.delete(sharer);
        this.#admit();
      },
    });
    try {
      // What came whole within one look at the sockets is not read in one turn.
      await turns.take();
    } catch (error) {
      turns.end();
      throw error;
    }
    return turns;
  }

  #admit(): void {
    for (
      let next = this.#waiting.peek();
      next !== undefined && (this.#underWay === 0 || this.#underWay + next.bytes <= this.#capacity);
      next = this.#waiting.peek()
    ) {
      this.#waiting.shift();
      this.#let(next);
    }
    if (this.#look !== undefined || this.#waiting.peek() === undefined) return;
    this.#look = this.#clock.setTimer(() => this.#lookAgain(), PATIENCE_MS);
  }

  /** Lets those begin who have waited, and of whom nothing is worked on. */
  #lookAgain(): void {
    this.#look = undefined;
    const before = this.#clock.now() - PATIENCE_MS;
    const fits = (sharer: string, { bytes, sinceMs }: Waiting): boolean =>
      sinceMs <= before && !this.#bodies.has(sharer) && this.#underWay + bytes <= 2 * this.#capacity;
    for (let next = this.#waiting.shiftOf(fits); next !== undefined; next = this.#waiting.shiftOf(fits))
      this.#let(next);
    this.#admit();
  }

  #let({ begin, bytes, sharer }: Waiting): void {
    this.#underWay += bytes;
    this.#bodies.set(sharer, (this.#bodies.get(sharer) ?? 0) + 1);
    begin();
  }
}
