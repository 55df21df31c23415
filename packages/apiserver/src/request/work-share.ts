import { countValues, limits } from '@kubechain/apimachinery';
import { FairQueue } from './fair-queue.ts';
import { TurnQueue } from './turn-queue.ts';
import { Turns, type WorkOwner } from './turns.ts';

/** Bodies up to this size cost little more than a request without one, and wait for nobody. */
const SMALL_BYTES = 128 * 1024;
/** Each value of a body counts as so many of its bytes, where it has fewer: memory and time go by values, too. */
const BYTES_PER_VALUE = 24;

interface Waiting {
  readonly bytes: number;
  readonly begin: () => void;
}

/**
 * What the requests of a server share of its thread and its memory. An object may take a hundred times the memory of
 * its body: of bodies that are not small, as many are worked on at a time as have no more bytes together than the limit
 * says, and the others wait. Users take turns.
 */
export class WorkShare {
  readonly #turns = new TurnQueue();
  readonly #waiting = new FairQueue<Waiting>();
  readonly #capacity: number;
  #underWay = 0;

  /** @param capacity bytes of bodies that are not small; a single one may have more */
  constructor(capacity = limits.bodiesAtOnce.value) {
    this.#capacity = capacity;
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
    await new Promise<void>((resolve) => {
      this.#waiting.push(owner.user.name, { bytes, begin: resolve });
      this.#admit();
    });
    const turns = new Turns({
      queue: this.#turns,
      owner,
      ended: () => {
        this.#underWay -= bytes;
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
      this.#underWay += next.bytes;
      next.begin();
    }
  }
}
