/** A request as queues keep it. */
export interface QueuedRequest<Self> {
  previous: Self | undefined;
  next: Self | undefined;
  readonly initialSeats: number;
  readonly seats: number;
  readonly totalWork: number;
}

/**
 * One queue of a priority level: waiting requests in order of arrival (a linked list: any of them may leave), and what
 * is executing of them.
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
  #first: Request | undefined = undefined;
  #last: Request | undefined = undefined;

  constructor(index: number) {
    this.index = index;
  }

  get oldest(): Request | undefined {
    return this.#first;
  }
  get idle(): boolean {
    return this.waiting === 0 && this.executing === 0;
  }

  enqueue(request: Request): void {
    request.previous = this.#last;
    if (this.#last === undefined) this.#first = request;
    else this.#last.next = request;
    this.#last = request;
    this.waiting++;
    this.waitingInitialSeats += request.initialSeats;
    this.waitingSeats += request.seats;
    this.waitingWork += request.totalWork;
  }

  remove(request: Request): void {
    const { previous, next } = request;
    if (previous === undefined) this.#first = next;
    else previous.next = next;
    if (next === undefined) this.#last = previous;
    else next.previous = previous;
    request.previous = undefined;
    request.next = undefined;
    this.waiting--;
    this.waitingInitialSeats -= request.initialSeats;
    this.waitingSeats -= request.seats;
    // Sums of doubles drift; an empty queue has exactly nothing.
    this.waitingWork = this.waiting === 0 ? 0 : this.waitingWork - request.totalWork;
  }

  /** Waiting requests, oldest first. */
  *requests(): Generator<Request> {
    for (let request = this.#first; request !== undefined; request = request.next) yield request;
  }
}
