import type { IncomingMessage } from 'node:http';
import { LinkRequest } from './link/link-request.ts';

/** Whether bytes follow the headers. GET with neither length nor encoding has none; HTTP/2 says so with END_STREAM. */
export function hasBodyToSend(request: IncomingMessage): boolean {
  if (request instanceof LinkRequest) return request.hasBody;
  const { headers } = request;
  if (headers['content-length'] !== undefined) return headers['content-length'] !== '0';
  if (headers['transfer-encoding'] !== undefined) return true;
  if (request.httpVersionMajor < 2) return false;
  return (
    (request as IncomingMessage & { readonly stream?: { readonly endAfterHeaders?: boolean } }).stream
      ?.endAfterHeaders !== true
  );
}
