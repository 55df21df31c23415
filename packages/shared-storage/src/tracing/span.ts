import { AsyncLocalStorage } from 'node:async_hooks';

/** What is told of a step. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** How a step begins. */
export interface SpanOptions {
  readonly attributes?: SpanAttributes;
  /** `client`: somebody else is asked, and told `traceparent`. Default `internal`. */
  readonly kind?: 'internal' | 'client';
  /** performance.now() of its beginning; default now. */
  readonly startedAt?: number;
}

/**
 * One step of a traced request. Requests that are not traced have none, so that everybody asks with `?.` and goes on;
 * those that are traced elsewhere and not chosen here have one that keeps nothing but the trace's id.
 */
export interface Span {
  /** 32 hexadecimal digits. */
  readonly traceID: string;
  /** W3C Trace Context, for whoever is asked during the step. */
  readonly traceparent: string;
  /** The caller's own, which nobody here has decided about: it goes on as it came. */
  readonly passed?: boolean;
  /** The request has been answered: what goes on now belongs to nobody's trace. */
  readonly over: boolean;
  /** A step within this one. It ends with the request, if nobody has ended it before. */
  child(name: string, options?: SpanOptions): Span;
  /** Something happened during the step. */
  event(name: string, attributes?: SpanAttributes): void;
  set(attributes: SpanAttributes): void;
  /** The step is over; with what made it fail. */
  end(error?: unknown): void;
}

const active = new AsyncLocalStorage<Span | undefined>();

/** The step that the caller's work belongs to. */
export function activeSpan(): Span | undefined {
  const span = active.getStore();
  // Timers and streams that a request has set up live on, in its context.
  return span === undefined || span.over ? undefined : span;
}

/** Calls a function whose work, and all that it begins, belongs to a step. */
export function withSpan<T>(span: Span, work: () => T): T {
  return active.run(span, work);
}

/** Calls a function whose work belongs to no request. */
export function withoutSpan<T>(work: () => T): T {
  return active.run(undefined, work);
}

/** Does `work` as a step of what the caller's work belongs to; without a span where that is no traced request. */
export function traced<T>(
  name: string,
  attributes: () => SpanAttributes,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  const parent = activeSpan();
  return parent === undefined ? work(undefined) : step(parent, name, { attributes: attributes(), work });
}

/** Does `work` as a step within `parent`, which ends when it is settled. */
export async function step<T>(
  parent: Span,
  name: string,
  { attributes, work }: { readonly attributes?: SpanAttributes; readonly work: (span: Span) => T | PromiseLike<T> },
): Promise<T> {
  const span = parent.child(name, attributes === undefined ? {} : { attributes });
  try {
    const result = await active.run(span, () => work(span));
    span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
}
