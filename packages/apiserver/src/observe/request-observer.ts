import type { IncomingMessage, ServerResponse } from 'node:http';
import { RequestObservation } from '../request/request-observation.ts';
import type { Filter } from '../request/filter.ts';
import { serverContext } from '../request/server-context.ts';
import type { ServerRequestContext } from '../request/server-request-context.ts';
import { Allowance } from './allowance.ts';
import { LoadMeter, type Surroundings } from './load-meter.ts';
import { pageUserAgent, type ProcessMessage } from './messages.ts';
import { OpenRequests } from './open-requests.ts';
import { requestMessage } from './request-message.ts';

/**
 * Requests that are timed step by step, some 200 µs each in each process: all that somebody does by hand, and 20 a
 * second of what goes on and on.
 */
const timed = { burst: 60, perSecond: 20 };
/** Of those, writes whose objects are written out before and after each plugin: up to 1 ms each. */
const deep = { burst: 20, perSecond: 4 };
/** Failures that are told although nobody has timed them. */
const failures = { burst: 100, perSecond: 20 };
const loadEveryMs = 1_000;
const openEveryMs = 250;
/** Says that the process in front looks at the request. Clients cannot send it past the first process. */
const observeHeader = 'x-kubechain-observe';

/** Takes what a process tells. */
export type ObserverSink = (message: ProcessMessage) => void;

/**
 * Looks at requests while somebody listens: counts all of them, and tells some in detail, as far as there is an
 * allowance. With nobody listening a request costs it a comparison.
 */
export class RequestObserver {
  readonly #sinks = new Set<ObserverSink>();
  readonly #meter: LoadMeter;
  readonly #timed = new Allowance(timed);
  readonly #deep = new Allowance(deep);
  readonly #failures = new Allowance(failures);
  /** From performance.now() to the machine's monotonic clock. */
  readonly #toMonotonicMs = Number(process.hrtime.bigint()) / 1e6 - performance.now();
  readonly #open = new OpenRequests();
  #timers: readonly NodeJS.Timeout[] = [];

  constructor(surroundings: Surroundings) {
    this.#meter = new LoadMeter(surroundings);
  }

  /** Begins to tell; the answer ends it. */
  subscribe(sink: ObserverSink): () => void {
    this.#sinks.add(sink);
    if (this.#sinks.size === 1) this.#start();
    return () => {
      if (this.#sinks.delete(sink) && this.#sinks.size === 0) this.#stop();
    };
  }

  readonly filter: Filter = (request, response, next) => {
    const context = this.#began(request);
    if (context !== undefined && this.#timed.take())
      observe(context, response, isWrite(request.method) && this.#deep.take());
    next(request, response);
  };

  readonly delegatedFilter: Filter = (request, response, next) => {
    const context = this.#began(request);
    const wanted = context === undefined ? undefined : request.headers[observeHeader];
    if (context !== undefined && wanted !== undefined) observe(context, response, wanted === 'deep');
    next(request, response);
  };

  /** A request has come that somebody may see. */
  #began(request: IncomingMessage): ServerRequestContext | undefined {
    if (this.#sinks.size === 0 || isOfPage(request)) return undefined;
    const context = serverContext(request);
    this.#open.add(context);
    return context;
  }

  readonly record = (context: ServerRequestContext, durationMs: number): void => {
    if (this.#sinks.size === 0 || isOfPage(context.request)) return;
    this.#open.delete(context);
    const { longRunning, observation, requestInfo, response } = context;
    const failed = response.statusCode >= 400 || !response.writableFinished;
    const told = observation !== undefined || (failed && this.#failures.take());
    this.#meter.ended(requestInfo.isResourceRequest ? requestInfo.verb : 'other', {
      code: response.statusCode,
      durationMs: longRunning ? undefined : durationMs,
      told,
    });
    if (!told) return;
    observation?.leaveFilter();
    this.#tell(requestMessage(context, durationMs, context.startedAt + this.#toMonotonicMs));
  };

  #start(): void {
    this.#meter.start();
    const every = (ms: number, tell: () => void): NodeJS.Timeout => setInterval(tell, ms).unref();
    this.#timers = [
      every(loadEveryMs, () => this.#tell(this.#meter.take())),
      every(openEveryMs, () => {
        const open = this.#open.take(performance.now());
        if (open !== undefined) this.#tell(open);
      }),
    ];
  }

  #stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#meter.stop();
    this.#open.clear();
  }

  #tell(message: ProcessMessage): void {
    for (const sink of this.#sinks) sink(message);
  }
}

function observe(context: ServerRequestContext, response: ServerResponse, deep: boolean): void {
  const observation = new RequestObservation(context.startedAt, deep);
  context.observation = observation;
  countBytes(response, observation);
}

function isOfPage({ headers }: IncomingMessage): boolean {
  return headers['user-agent'] === pageUserAgent;
}

function isWrite(method: string | undefined): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

function countBytes(response: ServerResponse, observation: RequestObservation): void {
  const count = (chunk: unknown): void => {
    if (typeof chunk === 'string') observation.responseBytes += Buffer.byteLength(chunk);
    else if (chunk instanceof Uint8Array) observation.responseBytes += chunk.length;
  };
  const write = response.write.bind(response) as (...args: readonly unknown[]) => boolean;
  const end = response.end.bind(response) as (...args: readonly unknown[]) => ServerResponse;
  response.write = ((...args: readonly unknown[]) => {
    count(args[0]);
    return write(...args);
  }) as typeof response.write;
  response.end = ((...args: readonly unknown[]) => {
    count(args[0]);
    return end(...args);
  }) as typeof response.end;
}
