import type { Status } from '@kubechain/apimachinery';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorToStatus } from './error-to-status.ts';
import { encodeStatus } from './encode-status.ts';

/**
 * Answers a request with the Status of `error` (see errorToStatus), in the media type that the client accepts
 * (JSON, YAML, protobuf; JSON when none of them is acceptable).
 *
 * Sets Retry-After from `details.retryAfterSeconds`. When the response has begun it cannot be changed any more:
 * the connection is cut, so that the client does not take half an answer for a whole one. Never throws.
 */
export function writeError(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  writeStatus(request, response, errorToStatus(error));
}

/** The same for a Status at hand; its `code` is the HTTP status. */
export function writeStatus(request: IncomingMessage, response: ServerResponse, status: Status): void {
  if (response.headersSent) {
    if (!response.writableEnded) response.destroy();
    return;
  }
  const code = status.code ?? 500;
  const retryAfterSeconds = status.details?.retryAfterSeconds ?? 0;
  if (retryAfterSeconds > 0) response.setHeader('Retry-After', String(retryAfterSeconds));
  if (code === 204) {
    response.writeHead(204);
    response.end();
    return;
  }
  const { contentType, body } = encodeStatus(status, request.headers.accept);
  response.setHeader('Content-Type', contentType);
  response.setHeader('Content-Length', body.length);
  response.writeHead(code);
  response.end(request.method === 'HEAD' ? undefined : body);
}
