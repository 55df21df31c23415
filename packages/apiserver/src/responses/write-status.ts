import type { Status } from '@kubechain/apimachinery';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { findRequestContext } from '../request/request-context.ts';
import { cutResponse } from './cut-response.ts';
import { errorToStatus } from './error-to-status.ts';
import { encodeJSONStatus, encodeStatus } from './encode-status.ts';
import type { EncodedStatus } from './encode-status.ts';

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
function writeStatus(request: IncomingMessage, response: ServerResponse, status: Status): void {
  if (response.headersSent) {
    if (!response.writableEnded) cutResponse(response);
    return;
  }
  const code = status.code ?? 500;
  findRequestContext(request)?.auditRecord?.setResponse(status);
  const retryAfterSeconds = status.details?.retryAfterSeconds ?? 0;
  if (retryAfterSeconds > 0) response.setHeader('Retry-After', String(retryAfterSeconds));
  if (code === 204) {
    response.writeHead(204);
    response.end();
    return;
  }
  const encoded = encodeStatus(status, request, { cbor: findRequestContext(request)?.answersCBOR ?? false });
  if (encoded instanceof Promise)
    encoded.then(
      (body) => {
        send(request, response, { code, body });
      },
      () => {
        send(request, response, { code, body: encodeJSONStatus(status, false) });
      },
    );
  else send(request, response, { code, body: encoded });
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  answer: { readonly code: number; readonly body: EncodedStatus },
): void {
  if (response.headersSent) return;
  const { contentType, body } = answer.body;
  response.setHeader('Content-Type', contentType);
  response.setHeader('Content-Length', body.length);
  response.writeHead(answer.code);
  response.end(request.method === 'HEAD' ? undefined : body);
}
