import { SpanKind, SpanStatusCode, trace, type Context, type Span as OTelSpan, type Tracer } from '@opentelemetry/api';
import { messageOf } from '@kubechain/apimachinery';
import type { Span, SpanAttributes, SpanOptions } from '@kubechain/shared-storage/tracing';

/** What the spans of one request share: when it is answered, those that are still open end. */
export class RequestSpans {
  readonly #open = new Set<OTelSpan>();
  readonly tracer: Tracer;
  over = false;

  constructor(tracer: Tracer) {
    this.tracer = tracer;
  }

  opened(span: OTelSpan): void {
    this.#open.add(span);
  }

  end(span: OTelSpan): void {
    if (this.#open.delete(span)) span.end();
  }

  /** Ends them all, the innermost first. */
  finish(): void {
    this.over = true;
    for (const span of [...this.#open].reverse()) this.end(span);
  }
}

/** A step that OpenTelemetry's SDK keeps, or, of a request that is not chosen, one that only has an id. */
export class RecordedSpan implements Span {
  readonly #spans: RequestSpans;
  readonly #span: OTelSpan;
  readonly #context: Context;

  constructor(spans: RequestSpans, span: OTelSpan, context: Context) {
    this.#spans = spans;
    this.#span = span;
    this.#context = trace.setSpan(context, span);
    spans.opened(span);
  }

  get traceID(): string {
    return this.#span.spanContext().traceId;
  }

  get traceparent(): string {
    const { spanId, traceFlags, traceId } = this.#span.spanContext();
    return `00-${traceId}-${spanId}-0${(traceFlags & 1).toString()}`;
  }

  get over(): boolean {
    return this.#spans.over;
  }

  child(name: string, { attributes, kind, startedAt }: SpanOptions = {}): Span {
    // What is not recorded has no children: whoever is asked on its behalf hears of the request's own span.
    if (this.over || !this.#span.isRecording()) return this;
    const span = this.#spans.tracer.startSpan(
      name,
      {
        kind: kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL,
        ...(attributes === undefined ? {} : { attributes: { ...attributes } }),
        ...(startedAt === undefined ? {} : { startTime: startedAt }),
      },
      this.#context,
    );
    return new RecordedSpan(this.#spans, span, this.#context);
  }

  event(name: string, attributes?: SpanAttributes): void {
    this.#span.addEvent(name, attributes === undefined ? {} : { ...attributes });
  }

  set(attributes: SpanAttributes): void {
    this.#span.setAttributes({ ...attributes });
  }

  end(error?: unknown): void {
    if (error !== undefined) this.#span.setStatus({ code: SpanStatusCode.ERROR, message: messageOf(error) });
    // An unrecorded child is its parent, which ends with the request.
    if (this.#span.isRecording()) this.#spans.end(this.#span);
  }
}
