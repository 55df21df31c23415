import type { FlowTicket, ServerRequestContext } from '../request/server-request-context.ts';
import type { CompiledFlowSchema } from './compiled-flow-schema.ts';
import type { Sharer } from './extra-seats.ts';
import type { Place } from './linked-list.ts';
import type { RequestQueue } from './request-queue.ts';
import type { WorkEstimate } from './work-estimate.ts';

/** What a request waits for. */
export interface FlowRequestOwner<Schema extends CompiledFlowSchema = CompiledFlowSchema> {
  /** The request needs no seat any more: it has ended, or a watch has its initial events. */
  finish(request: FlowRequest<Schema>): void;
  /** A waiting request has left. */
  cancel(request: FlowRequest<Schema>): void;
  /** The response has closed. */
  closed(request: FlowRequest<Schema>): void;
}

/**
 * One request on its way through flow control: its classification, its work, its place in a queue, and the ticket that
 * it gives back. One object for all of it: most requests need no more than this.
 *
 *     start ──no seat free──▶ waiting ──▶ executing ──release, or watch initialised──▶ finished
 *       └────a seat is free──────────────────┘ │ waiting ──timeout, client left──▶ cancelled
 */
export class FlowRequest<Schema extends CompiledFlowSchema = CompiledFlowSchema> implements FlowTicket {
  readonly kind = 'run';
  readonly context: ServerRequestContext;
  readonly schema: Schema;
  readonly distinguisher: string;
  readonly isWatch: boolean;
  readonly mutating: boolean;
  readonly initialSeats: number;
  finalSeats: number;
  /** How long after the answer the seats stay taken, ms. */
  additionalLatencyMs: number;
  /** Seat-seconds. */
  totalWork = 0;
  finalWork = 0;
  state: 'new' | 'waiting' | 'executing' | 'finished' | 'cancelled' = 'new';
  /** Undefined for what did not go through a queue. */
  queue: RequestQueue<FlowRequest> | undefined = undefined;
  arrivalMs = 0;
  arrivalR = 0;
  startMs = 0;
  /** Places among those that wait: of its queue, and of its sharer. */
  inQueue: Place<FlowRequest> | undefined = undefined;
  ofSharer: Place<FlowRequest> | undefined = undefined;
  /** Whose it is; undefined for what did not go through a queue. */
  sharer: Sharer<FlowRequest> | undefined = undefined;
  /** Whether it keeps its seats for long, and whether they are in addition to the level's. */
  long = false;
  extra = false;
  /** Told once, when a waiting request may run or never will. */
  onDecision: ((execute: boolean) => void) | undefined = undefined;
  /** Forgets the watch that this request is. */
  forgetWatch: (() => void) | undefined = undefined;
  readonly #owner: FlowRequestOwner<Schema>;

  constructor(
    owner: FlowRequestOwner<Schema>,
    context: ServerRequestContext,
    flow: {
      readonly schema: Schema;
      readonly distinguisher: string;
      readonly mutating: boolean;
      readonly estimate: WorkEstimate;
    },
  ) {
    const { estimate } = flow;
    this.#owner = owner;
    this.context = context;
    this.schema = flow.schema;
    this.distinguisher = flow.distinguisher;
    this.mutating = flow.mutating;
    this.isWatch = context.requestInfo.verb === 'watch';
    this.initialSeats = estimate.initialSeats;
    this.finalSeats = estimate.finalSeats;
    this.additionalLatencyMs = estimate.additionalLatencyMs;
  }

  /** The most seats that it takes at a time. */
  get seats(): number {
    return Math.max(this.initialSeats, this.finalSeats);
  }

  get ticket(): FlowTicket {
    return this;
  }
  get classification(): Schema {
    return this.schema;
  }

  watchInitialized(): void {
    if (this.isWatch && this.state === 'executing') this.#owner.finish(this);
  }

  release(): void {
    if (this.state === 'executing') this.#owner.finish(this);
    else if (this.state === 'waiting') this.#owner.cancel(this);
    this.#owner.closed(this);
  }
}
