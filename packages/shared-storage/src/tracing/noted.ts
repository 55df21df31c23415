import { messageOf } from '@kubechain/apimachinery';
import type { Span, SpanAttributes } from './span.ts';

/** A part of a traced step. */
export interface Part<T> {
  readonly name: string;
  /** What its success is called. Default: succeeded. */
  readonly success?: string;
  /** Told with what becomes of it: its result, undefined where it has failed. */
  readonly attributes?: (result: T | undefined) => SpanAttributes;
}

/** Tells a traced step what has become of one part of it, as the reference names that: `Txn call succeeded`, `failed`. */
export function noted<T>(span: Span | undefined, part: Part<T>, work: () => Promise<T>): Promise<T> {
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
  { attributes, name, success = 'succeeded' }: Part<T>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    const result = await work();
    span.event(`${name} ${success}`, attributes?.(result));
    return result;
  } catch (error) {
    span.event(`${name} failed`, { ...attributes?.(undefined), err: messageOf(error) });
    throw error;
  }
}
