import { FairQueue, limits, systemClock, type Timer, type TimerClock } from '@kubechain/apimachinery';
import { countBodyValues } from './body-values.ts';
import { sharerOf } from './sharer.ts';
import { TurnQueue } from './turn-queue.ts';
import { Turns, type WorkOwner } from './turns.ts';

/** Bodies up to this size cost little more than a request without one, and wait for no room. */
const SMALL_BYTES = 128 * 1024;
/** Each value of a body counts as so many of its bytes, where it has fewer: memory and time go by values, too. */
const BYTES_PER_VALUE = 24;
/** Bytes of the heap for each that a body counts: of 120,000 values that are applied, with all copies, it was 35. */
const HEAP_PER_BYTE = 50;
/** How long somebody waits, in ms, of whom nothing is worked on while others have all the room. */
const PATIENCE_MS = 100;

interface Waiting {
  readonly sharer: string;
  readonly bytes: number;
  readonly sinceMs: number;
  readonly begin: (beyond: boolean) => void;
}

export interface WorkShareOptions {
  /** How large the heap may be, in bytes; asked with the first body that is not small. Default: large enough. */
  readonly heapBytes?: () => number;
  /** Bytes of bodies that are not small; a single one may have more. Default: `roomForBodies` of the heap. */
  readonly capacity?: number;
  readonly clock?: TimerClock;
}

/**
 * What the requests of a server share of its thread and its memory. An object may take a hundred times the memory of
 * its body: of bodies that are not small, as many are worked on at a time as have no more bytes together than there is
 * room for, and the others wait. Users take turns.
 *
 * Whoever has some room keeps it as long as the request lasts, webhooks that take half a minute included. So as many
 * bytes again are for those of whom nothing is worked on and who have waited for a while, one body each; a single one
 * of these may have more, too.
 */
export class WorkShare {
  readonly #turns: TurnQueue;
  /** Of nobody's request: taken for work that many wait for, which goes on when whoever began it is gone. */
  readonly serverTurns: Pick<Turns, 'before'>;
  readonly #waiting = new FairQueue<Waiting>();
  readonly #clock: TimerClock;
  readonly #heapBytes: () => number;
  #capacity: number | undefined;
  #underWay = 0;
  /** Bodies that were begun beyond the room that there is for all. */
  #beyond = 0;
  /** Bodies that are worked on, by whose they are. */
  readonly #bodies = new Map<string, number>();
  #look: Timer | undefined;

  constructor({ capacity, clock = systemClock, heapBytes = () => Infinity }: WorkShareOptions = {}) {
    this.#capacity = capacity;
    this.#clock = clock;
    this.#heapBytes = heapBytes;
    this.#turns = new TurnQueue({ clock });
    this.serverTurns = new Turns({ queue: this.#turns });
  }

  /** The turns of a request whose body is small, or that has none. */
  turns(owner: WorkOwner): Turns {
    return new Turns({ queue: this.#turns, owner });
  }

  /**
   * The turns of a request with such a body, once there is room for what it will become; they must be ended.
   * @throws the reason of the signal, where the request need not go on when its time has come
   */
  begin(owner: WorkOwner, body: Uint8Array, contentType: string | undefined): Turns | Promise<Turns> {
    return body.length <= SMALL_BYTES
      ? this.#beginSmall(owner)
      : this.#begin(owner, Math.max(body.length, BYTES_PER_VALUE * countBodyValues(body, contentType)));
  }

  #beginSmall(owner: WorkOwner): Turns | Promise<Turns> {
    const turns = this.turns(owner);
    const turn = turns.beforeShort();
    return turn === undefined ? turns : turn.then(() => turns);
  }

  async #begin(owner: WorkOwner, bytes: number): Promise<Turns> {
    const sharer = sharerOf(owner.user);
    const beyond = await new Promise<boolean>((resolve) => {
      this.#waiting.push(sharer, { sharer, bytes, sinceMs: this.#clock.now(), begin: resolve });
      this.#admit();
    });
    const turns = new Turns({
      queue: this.#turns,
      owner,
      ended: () => {
        this.#underWay -= bytes;
        if (beyond) this.#beyond--;
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
      next !== undefined && (this.#underWay === 0 || this.#underWay + next.bytes <= this.#room);
      next = this.#waiting.peek()
    ) {
      this.#waiting.shift();
      this.#let(next, false);
    }
    if (this.#look !== undefined || this.#waiting.peek() === undefined) return;
    this.#look = this.#clock.setTimer(() => this.#lookAgain(), PATIENCE_MS);
  }

  /** Lets those begin who have waited, and of whom nothing is worked on. */
  #lookAgain(): void {
    this.#look = undefined;
    const before = this.#clock.now() - PATIENCE_MS;
    const fits = (sharer: string, { bytes, sinceMs }: Waiting): boolean =>
      sinceMs <= before &&
      !this.#bodies.has(sharer) &&
      (this.#beyond === 0 || this.#underWay + bytes <= 2 * this.#room);
    for (let next = this.#waiting.shiftOf(fits); next !== undefined; next = this.#waiting.shiftOf(fits))
      this.#let(next, true);
    this.#admit();
  }

  get #room(): number {
    return (this.#capacity ??= roomForBodies(this.#heapBytes()));
  }

  #let({ begin, bytes, sharer }: Waiting, beyond: boolean): void {
    this.#underWay += bytes;
    if (beyond) this.#beyond++;
    this.#bodies.set(sharer, (this.#bodies.get(sharer) ?? 0) + 1);
    begin(beyond);
  }
}

/**
 * Bytes of bodies that are worked on at a time where the heap may have so many: twice as many, which those have who
 * wait, fit into what stored objects leave of it.
 */
export function roomForBodies(heapBytes: number): number {
  const left = heapBytes * (1 - limits.heapShare.value / 100);
  return Math.min(limits.bodiesAtOnce.value, left / (2 * HEAP_PER_BYTE));
}
