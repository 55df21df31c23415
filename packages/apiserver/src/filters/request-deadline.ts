import type { ServerResponse } from 'node:http';
import { isFormatError, parseDuration, StatusError } from '@kubechain/apimachinery';
import { cutResponse } from '../responses/cut-response.ts';
import { writeError } from '../responses/write-status.ts';
import { abortReason, type ServerRequestContext } from '../request/server-request-context.ts';
import type { Filter } from '../request/filter.ts';
import { serverContext } from '../request/server-context.ts';

const timeoutStatus = {
  metadata: {},
  status: 'Failure',
  message: 'Timeout: request did not complete within the allotted timeout',
  reason: 'Timeout',
  details: {},
  code: 504,
};
const timeoutBody = Buffer.from(`${JSON.stringify(timeoutStatus)}\n`);

/**
 * Sets the deadline of short requests: `?timeout=` when it is above 0 and below the server's own
 * (endpoints/filters/request_deadline.go). A timeout that is no duration is a 400.
 */
export function requestDeadline(requestTimeoutMs: number): Filter {
  return (request, response, next) => {
    const context = serverContext(request);
    if (!context.longRunning) {
      let timeoutMs = requestTimeoutMs;
      if (context.search.includes('timeout')) {
        const wanted = context.query.get('timeout') ?? '';
        let parsed = 0;
        try {
          if (wanted !== '') parsed = Number(parseDuration(wanted)) / 1e6;
        } catch (error) {
          if (!isFormatError(error)) throw error;
          writeError(
            request,
            response,
            new StatusError({
              status: 'Failure',
              message: `invalid timeout specified in the request URL - ${error.message}`,
              reason: 'BadRequest',
              code: 400,
            }),
          );
          return;
        }
        if (parsed > 0 && parsed < requestTimeoutMs) timeoutMs = parsed;
      }
      context.deadlineMs = context.receivedAtMs + timeoutMs;
    }
    next(request, response);
  };
}

/**
 * Ends short requests at their deadline with 504 and aborts their signal; what their handler writes later is dropped
 * (server/filters/timeout.go). A response that has begun is cut.
 */
export const requestTimeout: Filter = (request, response, next) => {
  const context = serverContext(request);
  if (context.deadlineMs !== Number.POSITIVE_INFINITY) {
    const remainingMs = context.deadlineMs - context.receivedAtMs;
    // No timer is so fast.
    if (remainingMs < 1) {
      endAtDeadline(context);
      return;
    }
    context.deadlineTimer = setTimeout(endAtDeadline, remainingMs, context);
  }
  next(request, response);
};

function endAtDeadline(context: ServerRequestContext): void {
  const { response } = context;
  context.deadlineTimer = undefined;
  writeTimeout(response);
  context.abort(abortReason('deadline'));
  watchOutlived(context);
}

const finishingVerbs: ReadonlySet<string> = new Set(['create', 'delete', 'deletecollection', 'patch', 'update']);
/** Ms for which work may go on after its request was answered before it is counted as pending. */
const outlivedMs = 300_000;

/**
 * Counts how work ends whose request was already answered. In the reference reads end with their answer, writes are
 * finished in the background (server/filters/timeout.go, endpoints/handlers/finisher, 1.36).
 */
function watchOutlived({ metrics, pending, requestInfo }: ServerRequestContext): void {
  if (metrics === undefined || pending === undefined) return;
  const handled = (): void => {
    metrics.outlived('timeout-handler', 'ok');
  };
  if (!finishingVerbs.has(requestInfo.verb)) {
    pending.then(handled, handled);
    return;
  }
  handled();
  let timer: NodeJS.Timeout | undefined = setTimeout(() => {
    timer = undefined;
    metrics.outlived('rest-handler', 'pending');
  }, outlivedMs);
  timer.unref();
  const finished = (status: 'ok' | 'error'): void => {
    if (timer === undefined) return;
    clearTimeout(timer);
    metrics.outlived('rest-handler', status);
  };
  pending.then(
    () => {
      finished('ok');
    },
    () => {
      finished('error');
    },
  );
}

/**
 * The one Status that goes out without kind and media type, as the reference's timeout filter writes it; a response
 * that has begun is cut, also one that is written and that the client does not read.
 */
function writeTimeout(response: ServerResponse): void {
  if (response.headersSent) {
    cutResponse(response);
    return;
  }
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  response.setHeader('Content-Length', timeoutBody.length);
  response.writeHead(504);
  response.end(timeoutBody);
}
