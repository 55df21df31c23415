/** Entry point `@kubechain/shared-storage/tracing`: steps of requests that are traced. */
export { noted } from './noted.ts';
export { activeSpan, step, traced, withoutSpan, withSpan } from './span.ts';
export type { Span, SpanAttributes, SpanOptions } from './span.ts';
