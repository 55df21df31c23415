import type { RequestContext } from './request-context.ts';
import { isTooLargeHere, isTooLargeValueHere } from './body-values.ts';
import { LargeObjectError, mostValuesHere } from './side-server.ts';
import { sharerOf } from './sharer.ts';
import { TurnQueue } from './turn-queue.ts';

/** A step that took less is not worth a turn of the loop; many more of them are what nobody notices. In ms. */
const SHORT_MS = 10;
/** Objects up to this size, in bytes, are changed in a step that is short. */
const SMALL_BYTES = 64 * 1024;
/** Bytes of items that take a millisecond or two. */
const UNSEEN_BYTES = 64 * 1024;

/** Of whom work is done; aborted when it need not go on: the client is gone, or the request's time is over. */
export type WorkOwner = Pick<RequestContext, 'signal' | 'user'>;

export interface TurnsOptions {
  /** Shared with the other requests of the server. Default: one of its own. */
  readonly queue?: TurnQueue | undefined;
  readonly owner?: WorkOwner;
  /** Milliseconds of a clock that does not go back. Default: the machine's. */
  readonly now?: () => number;
  /** Called when the request has done what it had to do. */
  readonly ended?: () => void;
}

/**
 * The turns of the event loop that one request takes. Each step on an object that is as large as a body may be (read,
 * defaulted, compared, admitted, validated, written) takes tens to hundreds of milliseconds; between them, others are
 * served.
 */
export class Turns {
  readonly #queue: TurnQueue;
  readonly #owner: WorkOwner | undefined;
  readonly #now: () => number;
  readonly #ended: (() => void) | undefined;
  #refusesLarge = false;
  #since: number;
  /** Of items since the last look at the clock. */
  #bytes = 0;

  constructor({ ended, now = monotonic, owner, queue = new TurnQueue() }: TurnsOptions = {}) {
    this.#queue = queue;
    this.#owner = owner;
    this.#now = now;
    this.#ended = ended;
    this.#since = now();
  }

  /**
   * To be awaited between two steps; undefined, which need not be, while what was done so far was short.
   * @throws the reason of the signal, where the request need not go on
   */
  next(): Promise<void> | undefined {
    return this.#now() - this.#since < SHORT_MS ? undefined : this.take();
  }

  /**
   * The same after another item of many, of so many bytes: looks at the clock once there were some of them.
   * @throws as `next`
   */
  nextAfter(bytes: number): Promise<void> | undefined {
    this.#bytes += bytes;
    if (this.#bytes < UNSEEN_BYTES) return undefined;
    this.#bytes = 0;
    return this.next();
  }

  /**
   * To be awaited before a step on an object with such JSON: what was waited for comes for many at once; undefined,
   * which need not be, where it is small and few came.
   * @throws as `next`; LargeObjectError after `refuseLarge`
   */
  before(json: Uint8Array): Promise<void> | undefined {
    return json.length <= SMALL_BYTES ? this.beforeShort() : this.#beforeLarge(json);
  }

  /**
   * The same before a step that is short: undefined unless many came at once.
   * @throws as `next`
   */
  beforeShort(): Promise<void> | undefined {
    return this.#queue.isCrowded() ? this.#taken(this.#queue.takeShort(this.#sharer)) : undefined;
  }

  async #beforeLarge(json: Uint8Array): Promise<void> {
    if (this.#refusesLarge && isTooLargeHere(json, undefined)) throw new LargeObjectError();
    await this.take();
  }

  /**
   * The same of a value that is not written yet.
   * @throws as `before`
   */
  beforeValue(value: unknown): Promise<void> | undefined {
    if (this.#refusesLarge && isTooLargeValueHere(value)) throw new LargeObjectError();
    return this.next();
  }

  /**
   * To be called before something with so many values is made for the answer.
   * @throws LargeObjectError after `refuseLarge`, where they are more than is worked on here
   */
  beginWith(values: number): void {
    if (this.#refusesLarge && values > mostValuesHere) throw new LargeObjectError();
  }

  /** Has no step begin on an object that is larger than what is worked on here, or again any. */
  refuseLarge(refuses: boolean): void {
    this.#refusesLarge = refuses;
  }

  /** The same, however short it was: before a step that is known to be long. */
  take(): Promise<void> {
    return this.#taken(this.#queue.take(this.#sharer));
  }

  get #sharer(): string {
    return this.#owner === undefined ? '' : sharerOf(this.#owner.user);
  }

  async #taken(turn: Promise<void>): Promise<void> {
    await turn;
    this.#owner?.signal.throwIfAborted();
    this.#since = this.#now();
  }

  /** `step` with a turn before it and one behind it, where those before took long. */
  around<Args extends readonly unknown[]>(
    step: (...args: Args) => void | Promise<void>,
  ): (...args: Args) => void | Promise<void> {
    return (...args) => {
      const turn = this.next();
      return turn === undefined ? step(...args) : turn.then(() => step(...args)).then(() => this.next());
    };
  }

  /** Nothing more is done for the request but sending its answer. */
  end(): void {
    this.#ended?.();
  }
}

function monotonic(): number {
  return performance.now();
}
