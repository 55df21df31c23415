import type { ServerResponse } from 'node:http';
import type { RequestMetrics } from '../metrics/request-metrics.ts';
import { abortReason, type ServerRequestContext } from '../request/server-request-context.ts';
import type { Filter } from '../request/filter.ts';
import type { InFlightRequests } from './in-flight-requests.ts';
import { serverContext } from '../request/server-context.ts';

/** What is done with every request when its response closes, however it ended. */
export interface RequestCompletion {
  readonly metrics: RequestMetrics;
  readonly inFlight: InFlightRequests;
  /** Log and audit; called once the seat of flow control is released and metrics are taken. */
  readonly observers: readonly ((context: ServerRequestContext, durationMs: number) => void)[];
}

/**
 * Follows the end of a request: one `close` listener per response, which releases everything that filters hold for it
 * (seat of flow control, deadline timer, in-flight entry), aborts the signal when the client left early, and takes
 * metrics.
 */
export function latencyTrackers(completion: RequestCompletion): Filter {
  function onClose(this: ServerResponse): void {
    complete(serverContext(this.req), this, completion);
  }
  return (request, response, next) => {
    completion.metrics.started(serverContext(request));
    response.once('close', onClose);
    next(request, response);
  };
}

function complete(
  context: ServerRequestContext,
  response: ServerResponse,
  { metrics, inFlight, observers }: RequestCompletion,
): void {
  if (!response.writableFinished) context.abort(abortReason('client'));
  context.end();
  inFlight.remove(context);
  const durationMs = performance.now() - context.startedAt;
  metrics.finished(context, response.statusCode, durationMs);
  for (const observe of observers) observe(context, durationMs);
}
