import { messageOf } from '@kubechain/apimachinery';
import type { Span } from '../tracing/span.ts';
import type { StoreContext } from './store-context.ts';

/**
 * Tells a traced write what has become of one part of it, under the reference's names (etcd3/store.go, 1.36):
 * `Txn call` with `succeeded` or `failed`.
 */
export function noted<T>(span: Span | undefined, part: Part, work: () => Promise<T>): Promise<T> {
  return span === undefined ? work() : tell(span, part, work);
}

interface Part {
  readonly name: string;
  /** Default: succeeded. */
  readonly success?: string;
}

async function tell<T>(span: Span, part: Part, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work();
    span.event(`${part.name} ${part.success ?? 'succeeded'}`);
    return result;
  } catch (error) {
    span.event(`${part.name} failed`, { err: messageOf(error) });
    throw error;
  }
}

/** What is stored for the bytes of an object: what a transformer makes of them, where there is one. */
export function toStorage(
  { transformer }: StoreContext,
  key: string,
  { encoded, span }: { readonly encoded: Uint8Array; readonly span: Span | undefined },
): Uint8Array | Promise<Uint8Array> {
  if (transformer !== undefined && span === undefined) return transformer.toStorage(encoded, key);
  if (transformer !== undefined)
    return noted(span, { name: 'TransformToStorage' }, async () => transformer.toStorage(encoded, key));
  span?.event('TransformToStorage succeeded');
  return encoded;
}
