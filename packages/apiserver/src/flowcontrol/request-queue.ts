import { LinkedList, type Place } from './linked-list.ts';

/** A request as queues keep it. */
export interface QueuedRequest<Self> {
  /** Among the requests of its queue that wait. */
  inQueue: Place<Self> | undefined;
  readonly initialSeats: number;
  readonly seats: number;
  readonly totalWork: number;
}

/**
 * One queue of a priority level: waiting requests in order of arrival, any of which may leave, and what is executing of
 * them.
 */
export class RequestQueue<Request extends QueuedRequest<Request>> {
  /** Position among the level's queues; -1 once it is removed. */
  index: number;
  /** Virtual time at which its next request is to be dispatched, seat-seconds. */
  nextDispatchR = 0;
  executing = 0;
  /** Seats taken by its requests, those after their answer included. */
  seatsInUse = 0;
  waiting = 0;
  waitingInitialSeats = 0;
  waitingSeats = 0;
  /** Seat-seconds of all that wait. */
  waitingWork = 0;
  readonly #waiting = new LinkedList<Request>();

  constructor(index: number) {
    this.index = index;
  }

  get oldest(): Request | undefined {
    return this.#waiting.first;
  }
  get idle(): boolean {
    return this.waiting === 0 && this.executing === 0;
  }

  enqueue(request: Request): void {
    request.inQueue = this.#waiting.push(request);
    this.waiting++;
    this.waitingInitialSeats += request.initialSeats;
    this.waitingSeats += request.seats;
    this.waitingWork += request.totalWork;
  }

  remove(request: Request): void {
    if (request.inQueue === undefined) return;
    this.#waiting.remove(request.inQueue);
    request.inQueue = undefined;
    this.waiting--;
    this.waitingInitialSeats -= request.initialSeats;
    this.waitingSeats -= request.seats;
    // Sums of doubles drift; an empty queue has exactly nothing.
    this.waitingWork = this.waiting === 0 ? 0 : this.waitingWork - request.totalWork;
  }

  /** Waiting requests, oldest first. */
  requests(): Iterable<Request> {
    return this.#waiting;
  }
}
