import type { Span } from '@kubechain/shared-storage/tracing';
import type { ServerRequestContext } from '../request/server-request-context.ts';

/** W3C Trace Context, level 1: version, trace, parent and flags. Ids of zeros are none. */
const traceparentForm = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/**
 * Traces nothing, but passes on whose trace a request is part of, to webhooks, extension servers and etcd: as the
 * reference's handlers do without a tracing configuration (filters/traces.go, 1.36).
 */
export const passedTraces = {
  begin(context: ServerRequestContext): void {
    const text = context.request.headers['traceparent'];
    if (typeof text !== 'string') return;
    const traceID = traceparentForm.exec(text)?.[1];
    if (traceID !== undefined) context.span = new PassedSpan(context, traceID, text);
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

  constructor(context: ServerRequestContext, traceID: string, traceparent: string) {
    this.#context = context;
    this.traceID = traceID;
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
