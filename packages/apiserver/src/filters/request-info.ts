import type { IncomingMessage } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';
import {
  BadRequestTargetError,
  parseRequestInfo,
  parseRequestTarget,
  RequestInfoError,
} from '../request/request-info.ts';
import { writeTextError } from '../responses/write-text.ts';
import type { Filter } from '../request/filter.ts';
import { closeConnectionAfter } from './in-flight-requests.ts';
import { isLongRunning } from './long-running.ts';
import { serverContext } from '../request/server-context.ts';

/** Of HTTP/2 (RFC 9113, 7). */
const protocolError = 1;

/** Finds out what the request means, and whether it is long-running. */
export const requestInfo: Filter = (request, response, next) => {
  const context = serverContext(request);
  try {
    const target = parseRequestTarget(targetOf(request));
    context.search = target.search;
    context.requestInfo = parseRequestInfo(request.method ?? 'GET', target.path, () => context.query);
  } catch (error) {
    if (error instanceof BadRequestTargetError) {
      // Go refuses such a request before any handler sees it, and hangs up; over HTTP/2 its stream is reset.
      const { stream } = response as { readonly stream?: ServerHttp2Stream };
      if (stream !== undefined) {
        stream.close(protocolError);
        return;
      }
      closeConnectionAfter(response);
      response.writeHead(400, { 'Content-Type': 'text/plain; charset=utf-8' });
      response.end(error.message);
      return;
    }
    if (!(error instanceof RequestInfoError)) throw error;
    writeTextError(
      response,
      500,
      `Internal Server Error: ${JSON.stringify(request.url)}: failed to create RequestInfo: ${error.message}`,
    );
    return;
  }
  context.longRunning = isLongRunning(context.requestInfo);
  next(request, response);
};

/** Of a request for a tunnel, it may be no more than a host and its port (net/http server.go, readRequest). */
function targetOf({ method, url = '/' }: IncomingMessage): string {
  return method === 'CONNECT' && !url.startsWith('/') ? `http://${url}` : url;
}
