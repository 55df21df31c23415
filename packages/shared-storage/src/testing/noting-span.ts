import type { Span, SpanAttributes } from '../tracing/span.ts';

/** A span that notes what it is told, and what the steps within it are: for tests of traced work. */
export class NotingSpan implements Span {
  readonly traceID = '';
  readonly traceparent = '';
  readonly over = false;
  readonly notes: string[];
  readonly #attribute: string;

  /** @param attribute of steps, the value of which is noted with their names */
  constructor(attribute = '', notes: string[] = []) {
    this.notes = notes;
    this.#attribute = attribute;
  }

  child(name: string, { attributes }: { readonly attributes?: SpanAttributes } = {}): Span {
    const value = attributes?.[this.#attribute];
    this.notes.push(value === undefined ? name : `${name} ${value}`);
    return new NotingSpan(this.#attribute, this.notes);
  }

  event(name: string, attributes?: SpanAttributes): void {
    this.notes.push(attributes === undefined ? name : `${name} ${JSON.stringify(attributes)}`);
  }

  set(): void {
    // Not of interest.
  }

  end(): void {
    // Not of interest.
  }
}
