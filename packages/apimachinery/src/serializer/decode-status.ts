import { goQuote } from '../errors/go-format.ts';
import { StatusError } from '../errors/status.ts';
import type { KindInfo } from '../runtime/scheme.ts';
import { utf8Text } from '../text/utf8.ts';
import type { DecodeError } from './decode-error.ts';

/** Bytes of the body that the answer quotes. */
const SUMMARY_BYTES = 30;

/**
 * The 400 that a request handler answers to a body that did not decode (transformDecodeError and
 * summarizeData of apiserver 1.36): names the kind found, or quotes the start of the body.
 */
export function decodeErrorStatus(error: DecodeError, expected: KindInfo, body: Uint8Array): StatusError {
  return new StatusError(
    {
      status: 'Failure',
      message: decodeErrorMessage(error, asWhat(error, expected), body),
      reason: 'BadRequest',
      code: 400,
    },
    { cause: error },
  );
}

/**
 * The kind that the body was read as. An unstructured object, which is taken as what it says that it is, has been read
 * when its unknown fields are told.
 */
function asWhat(error: DecodeError, expected: KindInfo): string {
  return error.code === 'Strict' && expected.unstructured === true && error.gvk !== undefined
    ? error.gvk.kind
    : expected.gvk.kind;
}

/** The message of decodeErrorStatus. */
function decodeErrorMessage(error: DecodeError, expectedKind: string, body: Uint8Array): string {
  if (error.code === 'WrongVersion') return error.message;
  const gvk = error.gvk;
  if (gvk !== undefined && gvk.kind !== '')
    return `${gvk.kind} in version ${goQuote(gvk.version)} cannot be handled as a ${expectedKind}: ${error.message}`;
  return `the object provided is unrecognized (must be of type ${expectedKind}): ${error.message} (${summarize(body)})`;
}

function summarize(body: Uint8Array): string {
  if (body.length === 0) return '<empty>';
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, SUMMARY_BYTES));
  return (body[0] === 0x7b ? utf8Text(start) : start.toString('hex')) + (body.length > SUMMARY_BYTES ? ' ...' : '');
}
