import { messageOf } from '@kubechain/apimachinery';
import type { Span, SpanAttributes } from './span.ts';

/** A part of a traced step. */
export interface Part {
  readonly name: string;
  /** What its success is called. Default: succeeded. */
  readonly success?: string;
  /** Told with what becomes of it. */
  readonly attributes?: SpanAttributes;
}

/** Tells a traced step what has become of one part of it, as the reference names that: `Txn call succeeded`, `failed`. */
export function noted<T>(span: Span | undefined, part: Part, work: () => Promise<T>): Promise<T> {
  return span === undefined ? work() : tell(span, part, work);
}

/** Tells a traced step of a part of it that has failed, under that name; work that is no promise is done at once. */
export function notedFailure<T>(span: Span | undefined, failure: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    span?.event(failure);
    throw error;
  }
}

async function tell<T>(
  span: Span,
  { attributes, name, success = 'succeeded' }: Part,
  work: () => Promise<T>,
): Promise<T> {
  try {
    const result = await work();
    span.event(`${name} ${success}`, attributes);
    return result;
  } catch (error) {
    span.event(`${name} failed`, { ...attributes, err: messageOf(error) });
    throw error;
  }
}
