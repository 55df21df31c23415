import type { Span } from '@kubechain/shared-storage/tracing';
import type { ServerRequestContext } from '../request/server-request-context.ts';

/**
 * Traces nothing, but passes on whose trace a request is part of, to webhooks, extension servers and etcd: as the
 * reference's handlers do without a tracing configuration (filters/traces.go, 1.36).
 */
export const passedTraces = {
  begin(context: ServerRequestContext): void {
    if (context.request.headers['traceparent'] === undefined) return;
    const { Traceparent: parent } = context.trace;
    if (parent !== undefined) context.span = new PassedSpan(context, parent);
  },
  ended(): void {
    /* nothing is kept of it */
  },
};

/** Every step of a request that is traced elsewhere. */
class PassedSpan implements Span {
  readonly passed = true;
  readonly traceID: string;
  readonly traceparent: string;
  readonly #context: ServerRequestContext;

  constructor(context: ServerRequestContext, traceparent: string) {
    this.#context = context;
    this.traceID = traceparent.split('-')[1] ?? '';
    this.traceparent = traceparent;
  }

  get over(): boolean {
    return this.#context.response.writableEnded;
  }
  child(): this {
    return this;
  }
  event(): void {
    /* nobody asks */
  }
  set(): void {
    /* nobody asks */
  }
  end(): void {
    /* nobody asks */
  }
}
