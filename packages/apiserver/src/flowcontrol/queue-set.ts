import type { Timer, TimerClock } from '@kubechain/apimachinery';
import { ExtraSeats } from './extra-seats.ts';
import type { LevelCell, RejectReason } from './flow-metrics.ts';
import type { FlowRequest } from './flow-request.ts';
import type { Queuing } from './queuing.ts';
import { RequestQueue } from './request-queue.ts';
import { seatSeconds } from './seat-seconds.ts';

/** What a request is taken to last, until it has ended. */
const estimatedServiceMs = 3;
/** How often it is looked, while requests wait, which seats are kept for long; in ms. */
const LOOK_MS = 100;
/** Of requests that are too wide for the extra seats there are, so many are passed over between two looks. */
const MOST_TOO_WIDE = 16;

/** What a priority level lets through at a time, and what utilization is measured against. */
export interface DispatchLimits {
  readonly seats: number;
  readonly denominator: number;
}

/** What became of a request that asked for a seat. */
export type StartResult = 'executing' | 'waiting' | RejectReason;

/** Told of requests that wait, for the numbers of reads and writes. */
export interface QueueObserver {
  waiting(request: FlowRequest, delta: 1 | -1, nowMs: number): void;
}

/**
 * The queues of one priority level: fair queuing for server requests (fairqueuing/queueset, 1.36; the theory is in its
 * doc.go).
 *
 *     hand of the flow ─shortest─▶ queue ─ request, request ─┐
 *                                  queue ─ request ──────────┼─▶ earliest virtual finish first ─▶ seats
 *                                  queue ────────────────────┘
 *
 * Virtual time R advances by the seat-seconds that each queue with requests would get if all of them were served at the
 * same time, seat by seat. A queue's next request begins in virtual time where the last one ended, and the queue whose
 * request ends first is served. The work of a request is estimated at its dispatch and put right when it ends.
 *
 * Seats that requests keep for long keep nobody else out: a slow body or webhook has a seat for a minute, and one user
 * could have all of them. One request of each user of whom nothing runs is let through beyond the limit (`ExtraSeats`).
 * The reference has these wait, and refuses them after a quarter of their time. While nothing is kept for long, all is
 * as in the reference.
 *
 * A request that finds a seat and nobody waiting costs additions: no timer, no promise. Waiting requests are bounded by
 * queues × queueLengthLimit; what is above is refused. Nothing in here yields. To begin and end costs the same however
 * many requests wait: 0.5 to 1 µs beside 6,400 of them and 600 seats that are kept for long, where looking at each took
 * 2,600.
 */
export class QueueSet {
  readonly #clock: TimerClock;
  readonly #cell: LevelCell;
  readonly #observer: QueueObserver;
  readonly #onDemand: (seats: number, nowMs: number) => void;
  #queuing: Queuing;
  #limit = 0;
  #queues: RequestQueue<FlowRequest>[] = [];
  #lastMs: number;
  #currentR = 0;
  #robin = 0;
  #enqueues = 0;
  /** Queues with requests, and seats that requests of queues take or wait for: what virtual time depends on. */
  #activeQueues = 0;
  #queuedSeats = 0;
  #waiting = 0;
  #seatsWaiting = 0;
  #seatsInUse = 0;
  /** In the order in which they began. */
  readonly #executing = new Set<FlowRequest>();
  readonly #extra = new ExtraSeats<FlowRequest>();
  #look: Timer | undefined;
  dispatched = 0;
  rejected = 0;
  cancelled = 0;

  constructor(
    queuing: Queuing,
    options: {
      readonly clock: TimerClock;
      readonly cell: LevelCell;
      readonly observer: QueueObserver;
      readonly onDemand: (seats: number, nowMs: number) => void;
    },
  ) {
    this.#clock = options.clock;
    this.#cell = options.cell;
    this.#observer = options.observer;
    this.#onDemand = options.onDemand;
    this.#queuing = queuing;
    this.#lastMs = options.clock.now();
  }

  get idle(): boolean {
    return this.#waiting === 0 && this.#executing.size === 0;
  }
  get waiting(): number {
    return this.#waiting;
  }
  get seatsInUse(): number {
    return this.#seatsInUse;
  }
  get queues(): readonly RequestQueue<FlowRequest>[] {
    return this.#queues;
  }
  /** Requests that run now, those without a queue included. */
  get executing(): ReadonlySet<FlowRequest> {
    return this.#executing;
  }

  /**
   * Takes a new configuration; queues that are too many go once they are empty. Requests that fit now are dispatched.
   */
  configure(queuing: Queuing, limits: DispatchLimits): void {
    const now = this.#syncTime();
    this.#queuing = queuing;
    this.#limit = limits.seats;
    if (queuing.kind === 'queue')
      for (let i = this.#queues.length; i < queuing.queues; i++) this.#queues.push(new RequestQueue<FlowRequest>(i));
    const places = queuing.kind === 'queue' ? Math.max(1, queuing.queueLengthLimit) * queuing.queues : 1;
    this.#cell.requestsWaiting.setDenominator(places, now);
    this.#cell.requestsExecuting.setDenominator(limits.denominator, now);
    this.#cell.seats.setDenominator(limits.denominator, now);
    for (let i = this.#queues.length - 1; i >= 0; i--)
      this.#removeIfExcess(this.#queues[i] as RequestQueue<FlowRequest>);
    this.#dispatch(now);
  }

  /**
   * Takes a request: it runs at once, waits (`onDecision` tells when that ends), or is refused.
   * @param hand the queues of its flow; of no meaning where there are none
   */
  start(request: FlowRequest, hand: readonly number[]): StartResult {
    const now = this.#syncTime();
    request.arrivalMs = now;
    request.arrivalR = this.#currentR;
    request.finalWork = seatSeconds(request.finalSeats, request.additionalLatencyMs);
    request.totalWork = seatSeconds(request.initialSeats, estimatedServiceMs) + request.finalWork;
    if (this.#queuing.kind !== 'queue') {
      if (!this.#fits(request.seats)) {
        this.rejected++;
        return 'concurrency-limit';
      }
      this.#execute(request, now);
      return 'executing';
    }
    const queue = this.#pick(hand);
    request.queue = queue;
    const { cell } = request.schema;
    if (this.#waiting === 0 && this.#ordinarySeats < this.#limit && this.#fits(request.seats)) {
      this.#enter(queue);
      this.#noteDispatch(queue);
      this.#noteOnlyQueue(queue);
      this.#take(request, queue, now);
      cell.queueLengths.observe(1);
      return 'executing';
    }
    if (
      this.#ordinarySeats >= this.#limit &&
      queue.waiting >= this.#queuing.queueLengthLimit &&
      !this.#extra.fits(request, this.#limit)
    ) {
      this.rejected++;
      return 'queue-full';
    }
    this.#enter(queue);
    queue.enqueue(request);
    this.#boundNextDispatch(queue);
    request.state = 'waiting';
    this.#extra.wait(request);
    this.#noteWaiting(request, 1, now);
    this.#lookLater();
    cell.queueLengths.observe(queue.waiting);
    this.#dispatch(now);
    // The dispatch may have begun with this one.
    if ((request.state as FlowRequest['state']) === 'executing') return 'executing';
    if (!this.#extra.fits(request, this.#limit)) return 'waiting';
    this.#letThrough(request, now);
    return 'executing';
  }

  /**
   * Gives back the seats of a request that has ended, now or after its additional latency. Returns the time that it
   * took for the end.
   */
  finish(request: FlowRequest): number {
    const now = this.#syncTime();
    request.state = 'finished';
    this.#executing.delete(request);
    this.#cell.requestsExecuting.add(-1, now);
    request.schema.cell.executingRequests--;
    const { queue } = request;
    this.#extra.end(request);
    if (queue !== undefined) {
      queue.executing--;
      if (queue.idle) this.#activeQueues--;
      // It was dispatched as if it would take the estimated time.
      queue.nextDispatchR -= seatSeconds(request.initialSeats, estimatedServiceMs - (now - request.startMs));
      this.#boundNextDispatch(queue);
    }
    if (request.additionalLatencyMs > 0) {
      this.#clock.setTimer(() => {
        const later = this.#syncTime();
        this.#releaseSeats(request, later);
        this.#dispatch(later);
        this.#letOthersThrough(later, MOST_TOO_WIDE);
      }, request.additionalLatencyMs);
    } else {
      this.#releaseSeats(request, now);
    }
    this.#dispatch(now);
    this.#letOthersThrough(now, MOST_TOO_WIDE);
    return now;
  }

  /** Takes a waiting request out of its queue. */
  cancel(request: FlowRequest): void {
    const now = this.#syncTime();
    const { queue } = request;
    if (request.state !== 'waiting' || queue === undefined) return;
    queue.remove(request);
    request.state = 'cancelled';
    this.#extra.cancel(request);
    if (queue.idle) this.#activeQueues--;
    this.rejected++;
    this.cancelled++;
    this.#noteWaiting(request, -1, now);
    this.#boundNextDispatch(queue);
    this.#removeIfExcess(queue);
    // Who waited behind a wide request may fit now.
    this.#dispatch(now);
  }

  #syncTime(): number {
    const now = this.#clock.now();
    if (this.#activeQueues > 0) {
      this.#currentR += seatSeconds(Math.min(this.#queuedSeats, this.#limit) / this.#activeQueues, now - this.#lastMs);
      this.#cell.currentR = this.#currentR;
    }
    this.#lastMs = now;
    return now;
  }

  /** The queue of the hand with the least work; the first visited changes, so that flows with common queues get on. */
  #pick(hand: readonly number[]): RequestQueue<FlowRequest> {
    const offset = this.#enqueues++ % hand.length;
    let best: RequestQueue<FlowRequest> | undefined;
    for (let i = 0; i < hand.length; i++) {
      const queue = this.#queues[hand[(offset + i) % hand.length] as number] as RequestQueue<FlowRequest>;
      if (queue.waitingWork === 0) return queue;
      if (best === undefined || queue.waitingWork < best.waitingWork) best = queue;
    }
    return best as RequestQueue<FlowRequest>;
  }

  /** Before a request is put into a queue or dispatched from it at once. */
  #enter(queue: RequestQueue<FlowRequest>): void {
    if (!queue.idle) return;
    queue.nextDispatchR = this.#currentR;
    this.#activeQueues++;
  }

  /** Seats in use that count against the limit. */
  get #ordinarySeats(): number {
    return this.#seatsInUse - this.#extra.apart(this.#limit);
  }

  #fits(seats: number): boolean {
    if (this.#queuing.kind === 'exempt') return true;
    // Wider than the whole level: alone it may run.
    if (seats > this.#limit) return this.#executing.size === 0;
    return this.#ordinarySeats + seats <= this.#limit;
  }

  #dispatch(now: number): void {
    while (this.#waiting > 0 && this.#ordinarySeats < this.#limit) {
      const next = this.#findNext();
      if (next === undefined) return;
      this.#leaveQueue(next.request, next.queue, now);
    }
  }

  #leaveQueue(request: FlowRequest, queue: RequestQueue<FlowRequest>, now: number): void {
    queue.remove(request);
    this.#noteWaiting(request, -1, now);
    this.#take(request, queue, now);
    this.#boundNextDispatch(queue);
    request.onDecision?.(true);
  }

  #lookLater(): void {
    if (this.#look !== undefined) return;
    this.#look = this.#clock.setTimer(() => {
      this.#look = undefined;
      const now = this.#syncTime();
      this.#extra.look(this.#executing, now);
      // Of the extra seats more are apart now that more are kept.
      this.#dispatch(now);
      this.#letOthersThrough(now, Infinity);
      // What is kept is known to whoever comes next.
      if (this.#waiting > 0 || this.#extra.kept > 0) this.#lookLater();
    }, LOOK_MS);
  }

  /** Lets others through of whom nothing runs, behind a dispatch: while others keep their seats. */
  #letOthersThrough(now: number, mostTooWide: number): void {
    if (this.#waiting === 0 || this.#extra.kept === 0) return;
    for (const request of this.#extra.fitting(this.#limit, mostTooWide)) this.#letThrough(request, now);
  }

  #letThrough(request: FlowRequest, now: number): void {
    if (request.queue === undefined) return;
    this.#extra.take(request);
    this.#leaveQueue(request, request.queue, now);
  }

  /**
   * The oldest request of the queue with the earliest virtual finish; undefined when it does not fit now: the others
   * wait with it.
   */
  #findNext(): { readonly queue: RequestQueue<FlowRequest>; readonly request: FlowRequest } | undefined {
    const queues = this.#queues;
    let earliest = Infinity;
    let best: RequestQueue<FlowRequest> | undefined;
    let minS = Infinity;
    let maxS = 0;
    let minDiscounted = Infinity;
    let maxDiscounted = -Infinity;
    for (let i = 1; i <= queues.length; i++) {
      const queue = queues[(this.#robin + i) % queues.length] as RequestQueue<FlowRequest>;
      const { oldest } = queue;
      if (oldest === undefined) continue;
      const discounted = queue.nextDispatchR - seatSeconds(queue.seatsInUse, estimatedServiceMs);
      minS = Math.min(minS, queue.nextDispatchR);
      maxS = Math.max(maxS, queue.nextDispatchR);
      minDiscounted = Math.min(minDiscounted, discounted);
      maxDiscounted = Math.max(maxDiscounted, discounted);
      const finish = queue.nextDispatchR + oldest.totalWork;
      if (finish < earliest) {
        earliest = finish;
        best = queue;
      }
    }
    const request = best?.oldest;
    if (best === undefined || request === undefined) return undefined;
    if (!this.#fits(request.seats)) {
      request.schema.cell.notAccommodated++;
      return undefined;
    }
    this.#noteDispatch(best);
    const cell = this.#cell;
    cell.nextSMin = minS;
    cell.nextSMax = maxS;
    cell.nextDiscountedSMin = minDiscounted;
    cell.nextDiscountedSMax = maxDiscounted;
    return { queue: best, request };
  }

  /** The next search begins behind this queue, so that of equal ones each has its turn. */
  #noteDispatch(queue: RequestQueue<FlowRequest>): void {
    this.#robin = queue.index;
    this.#cell.dispatchR = this.#currentR;
    this.#cell.latestS = queue.nextDispatchR;
  }

  /** Of queues with waiting requests there was but this one. */
  #noteOnlyQueue({ nextDispatchR, seatsInUse }: RequestQueue<FlowRequest>): void {
    const cell = this.#cell;
    const discounted = nextDispatchR - seatSeconds(seatsInUse, estimatedServiceMs);
    cell.nextSMin = nextDispatchR;
    cell.nextSMax = nextDispatchR;
    cell.nextDiscountedSMin = discounted;
    cell.nextDiscountedSMax = discounted;
  }

  /** From its queue, where it waited or would have, to a seat. */
  #take(request: FlowRequest, queue: RequestQueue<FlowRequest>, now: number): void {
    // More seats at the end than there are: the same work on fewer seats takes longer.
    if (request.finalSeats > this.#limit && this.#limit > 0) {
      request.finalSeats = this.#limit;
      request.additionalLatencyMs = (request.finalWork / this.#limit) * 1_000;
    }
    queue.executing++;
    queue.seatsInUse += request.seats;
    this.#queuedSeats += request.seats;
    queue.nextDispatchR += request.totalWork;
    this.#extra.begin(request);
    this.#execute(request, now);
  }

  #execute(request: FlowRequest, now: number): void {
    const { seats } = request;
    request.state = 'executing';
    request.startMs = now;
    this.#executing.add(request);
    this.#seatsInUse += seats;
    this.dispatched++;
    const { cell } = request.schema;
    cell.executed = true;
    cell.dispatched++;
    cell.executingRequests++;
    cell.executingSeats += seats;
    if (request.queue !== undefined) cell.queued = true;
    this.#cell.requestsExecuting.add(1, now);
    this.#cell.seats.add(seats, now);
    this.#onDemand(this.#seatsInUse + this.#seatsWaiting, now);
  }

  #releaseSeats(request: FlowRequest, now: number): void {
    const { queue, seats } = request;
    this.#seatsInUse -= seats;
    this.#extra.release(request);
    request.schema.cell.executingSeats -= seats;
    this.#cell.seats.add(-seats, now);
    this.#onDemand(this.#seatsInUse + this.#seatsWaiting, now);
    if (queue === undefined) return;
    queue.seatsInUse -= seats;
    this.#queuedSeats -= seats;
    this.#removeIfExcess(queue);
  }

  #noteWaiting(request: FlowRequest, delta: 1 | -1, now: number): void {
    const seats = delta * request.seats;
    this.#waiting += delta;
    this.#seatsWaiting += seats;
    this.#queuedSeats += seats;
    const { cell } = request.schema;
    cell.queued = true;
    cell.waitingRequests += delta;
    cell.waitingSeats += seats;
    this.#cell.requestsWaiting.add(delta, now);
    this.#observer.waiting(request, delta, now);
    this.#onDemand(this.#seatsInUse + this.#seatsWaiting, now);
  }

  /** A queue that cannot use its share must not save it up: no request begins in virtual time before it came. */
  #boundNextDispatch(queue: RequestQueue<FlowRequest>): void {
    const { oldest } = queue;
    if (oldest !== undefined && queue.nextDispatchR < oldest.arrivalR) queue.nextDispatchR = oldest.arrivalR;
  }

  #removeIfExcess(queue: RequestQueue<FlowRequest>): void {
    const wanted = this.#queuing.kind === 'queue' ? this.#queuing.queues : 0;
    if (this.#queues.length <= wanted || !queue.idle || queue.index < 0) return;
    const { index } = queue;
    this.#queues.splice(index, 1);
    queue.index = -1;
    for (let i = index; i < this.#queues.length; i++) (this.#queues[i] as RequestQueue<FlowRequest>).index = i;
    if (this.#robin >= index && this.#robin > 0) this.#robin--;
  }
}
