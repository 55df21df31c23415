import type { IncomingMessage, ServerResponse } from 'node:http';

/** Answers a request. HTTP/2 requests come through Node's compatibility API and look the same. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * One step of the handler chain: answers by itself, or calls `next` with the same request and response, now or later.
 * `next` is made once per server, so a filter costs no closure per request.
 */
export type Filter = (request: IncomingMessage, response: ServerResponse, next: Handler) => void;

/** A filter under the name that specs, metrics and docs use. */
export interface NamedFilter {
  readonly name: string;
  readonly filter: Filter;
}

/** The chain as one handler: the first filter is the outermost. */
export function composeFilters(filters: readonly NamedFilter[], last: Handler): Handler {
  return filters.reduceRight<Handler>(
    (next, { filter }) =>
      (request, response) =>
        filter(request, response, next),
    last,
  );
}
