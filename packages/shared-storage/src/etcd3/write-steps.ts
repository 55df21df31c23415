import { noted } from '../tracing/noted.ts';
import type { Span } from '../tracing/span.ts';
import type { StoreContext } from './store-context.ts';

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
