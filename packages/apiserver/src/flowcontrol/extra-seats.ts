import { sharerOf } from '../request/sharer.ts';
import type { UserInfo } from '../request/user-info.ts';
import { LinkedList, type Place } from './linked-list.ts';

/** A request that has a seat for longer, in ms, waits for something else: its body, a webhook, who reads its answer. */
const LONG_MS = 250;
/** So many sharers without a request are remembered: one who comes and goes is not added and deleted each time. */
const IDLE_KEPT = 64;

/** A request of a priority level, as extra seats see it. */
export interface SeatedRequest<Self> {
  readonly context: { readonly user: Pick<UserInfo, 'name'> };
  readonly seats: number;
  readonly startMs: number;
  /** Whose it is, while it waits or runs. */
  sharer: Sharer<Self> | undefined;
  /** Among the requests of its sharer that wait. */
  ofSharer: Place<Self> | undefined;
  /** Whether its seats are among those that are kept for long. */
  long: boolean;
  /** Whether its seats are in addition to the limit. */
  extra: boolean;
}

/** Requests of one sharer. */
export interface Sharer<Request> {
  executing: number;
  readonly waiting: LinkedList<Request>;
  /** Among those of whom requests wait and none runs. */
  place: Place<Sharer<Request>> | undefined;
  /** Whether none waits or runs. */
  idle: boolean;
}

/**
 * Seats in addition to those of a priority level, for sharers of whom requests wait and none runs, while others keep
 * seats for long:
 *
 *     extra seats in use ≤ min(seats that are kept for long, limit), whenever one is given
 *
 * They are counted on their own, however many seats are in use otherwise (there are more than the limit says where it
 * was lowered). A request has its extra seats until it ends. Where more are in use than are kept, because those that
 * were kept have been given back, they count as ordinary ones (`apart`).
 *
 * To wait, begin and end costs the same however many requests wait or run: each sharer has its requests in a list,
 * and those who may have an extra seat are in a list. What is kept for long is looked at now and then (`look`).
 */
export class ExtraSeats<Request extends SeatedRequest<Request>> {
  readonly #sharers = new Map<string, Sharer<Request>>();
  /** Of whom requests wait and none runs, in the order in which that came to be. */
  readonly #starving = new LinkedList<Sharer<Request>>();
  /** Of how many no request waits or runs. */
  #idle = 0;
  #kept = 0;
  #inUse = 0;

  /** Seats of running requests that were kept for long at the last look. */
  get kept(): number {
    return this.#kept;
  }

  /** Of the seats in use, those that keep no other request from the limit's. */
  apart(limit: number): number {
    return Math.min(this.#inUse, this.#kept, limit);
  }

  /** A request waits from now on. */
  wait(request: Request): void {
    const sharer = this.#sharer(request);
    request.ofSharer = sharer.waiting.push(request);
    this.#settle(sharer);
  }

  /** It waits no longer, and will not run. */
  cancel(request: Request): void {
    const sharer = this.#sharer(request);
    unlist(request, sharer);
    this.#settle(sharer);
  }

  /** A request runs from now on, whether it has waited or not. */
  begin(request: Request): void {
    const sharer = this.#sharer(request);
    unlist(request, sharer);
    sharer.executing++;
    this.#settle(sharer);
  }

  /** It has ended; it may have its seats for longer. */
  end(request: Request): void {
    const { sharer } = request;
    if (request.long) this.#kept -= request.seats;
    request.long = false;
    if (sharer === undefined) return;
    sharer.executing--;
    this.#settle(sharer);
  }

  /** Its seats are to be extra ones. */
  take(request: Request): void {
    request.extra = true;
    this.#inUse += request.seats;
  }

  /** It has given its seats back. */
  release(request: Request): void {
    if (request.extra) this.#inUse -= request.seats;
    request.extra = false;
  }

  /** Counts what is kept for long; `executing` in the order in which they began. */
  look(executing: Iterable<Request>, now: number): void {
    for (const request of executing) {
      if (now - request.startMs <= LONG_MS) break;
      if (request.long) continue;
      request.long = true;
      this.#kept += request.seats;
    }
  }

  /** Whether a request that has just come may have extra seats. */
  fits(request: Request, limit: number): boolean {
    if (request.seats > this.#room(limit)) return false;
    return (this.#sharers.get(sharerOf(request.context.user))?.executing ?? 0) === 0;
  }

  /**
   * Waiting requests that may have extra seats, each of another sharer; each must be begun before the next is asked
   * for. Those that are too wide are passed over, at most so many.
   */
  *fitting(limit: number, mostTooWide: number): Generator<Request> {
    let tooWide = 0;
    for (let sharer = this.#starving.firstPlace; sharer !== undefined; sharer = sharer.next)
      for (let place = sharer.item.waiting.firstPlace; place !== undefined; place = place.next) {
        const request = place.item;
        const room = this.#room(limit);
        if (room <= 0) return;
        if (request.seats <= room) {
          yield request;
          break;
        }
        tooWide++;
        if (tooWide > mostTooWide) return;
      }
  }

  #room(limit: number): number {
    return Math.min(this.#kept, limit) - this.#inUse;
  }

  #sharer(request: Request): Sharer<Request> {
    if (request.sharer !== undefined) return request.sharer;
    const name = sharerOf(request.context.user);
    let sharer = this.#sharers.get(name);
    if (sharer === undefined) {
      sharer = { executing: 0, waiting: new LinkedList(), place: undefined, idle: false };
      this.#sharers.set(name, sharer);
    }
    request.sharer = sharer;
    return sharer;
  }

  #settle(sharer: Sharer<Request>): void {
    const waits = sharer.waiting.first !== undefined;
    const runs = sharer.executing > 0;
    if (waits && !runs) sharer.place ??= this.#starving.push(sharer);
    else if (sharer.place !== undefined) {
      this.#starving.remove(sharer.place);
      sharer.place = undefined;
    }
    const idle = !waits && !runs;
    if (idle === sharer.idle) return;
    sharer.idle = idle;
    this.#idle += idle ? 1 : -1;
    if (this.#idle > IDLE_KEPT + this.#sharers.size / 2) this.#forgetIdle();
  }

  #forgetIdle(): void {
    for (const [name, { idle }] of this.#sharers) if (idle) this.#sharers.delete(name);
    this.#idle = 0;
  }
}

function unlist<Request extends SeatedRequest<Request>>(request: Request, { waiting }: Sharer<Request>): void {
  if (request.ofSharer !== undefined) waiting.remove(request.ofSharer);
  request.ofSharer = undefined;
}
