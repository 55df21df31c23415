import type { IncomingMessage } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';
import type { Filter } from '../request/filter.ts';

/**
 * Closes some HTTP/2 connections after the requests that are open on them, so that long-lived clients spread over the
 * servers behind a load balancer (server/filters/goaway.go).
 */
export function goaway(chance: number, random: () => number): Filter {
  return (request, response, next) => {
    if (request.httpVersionMajor === 2 && random() < chance)
      (request as IncomingMessage & { readonly stream?: ServerHttp2Stream }).stream?.session?.close();
    next(request, response);
  };
}
