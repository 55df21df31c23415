import type { Decoded, DecodeOptions } from '../decoded.ts';
import type { KindInfo } from '../../runtime/scheme.ts';
import { DecodeError } from '../decode-error.ts';

/**
 * Decodes one JSON object as apimachinery's JSON serializer does: kind and apiVersion default to those of
 * `expected`, fields are checked against and pruned to the kind's schema, nulls are dropped as Go drops them.
 * No defaults are applied.
 *
 * Without `expected` the kind is looked up in `options.scheme`; without that either, any object is accepted
 * unpruned (custom resources, unstructured).
 *
 * @throws DecodeError with upstream's text
 */
export function decodeJSON(bytes: Uint8Array, expected: KindInfo | undefined, options: DecodeOptions = {}): Decoded {
  void bytes; void options;
  throw new DecodeError('NotRegistered', 'not built yet', expected === undefined ? {} : { gvk: expected.gvk });
}
