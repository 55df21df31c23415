import type { ServerResponse } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';

/** Of HTTP/2 (RFC 9113, 7): node:http2 is left to those who speak it. */
const internalError = 2;

/**
 * Breaks off an answer that has begun and cannot be finished, so that nobody takes half of it for the whole: over
 * HTTP/1.1 its connection is cut; over HTTP/2 its stream is reset with INTERNAL_ERROR, as Go's server does when a
 * handler panics. Node's own reset is one without an error, which clients may read as an orderly end.
 */
export function cutResponse(response: ServerResponse): void {
  const { stream } = response as { readonly stream?: ServerHttp2Stream };
  if (stream !== undefined && !stream.closed && !stream.destroyed) stream.close(internalError);
  response.destroy();
}
