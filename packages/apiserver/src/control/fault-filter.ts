import {
  conflict,
  internalError,
  resourceExpired,
  serviceUnavailable,
  StatusError,
  tooManyRequests,
  unauthorized,
} from '@kubechain/apimachinery';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { cutResponse } from '../responses/cut-response.ts';
import { writeError } from '../responses/write-status.ts';
import type { RequestInfo } from '../request/request-context.ts';
import type { Filter } from '../request/filter.ts';
import { serverContext } from '../request/server-context.ts';
import type { FaultEffect, FaultMoment } from './fault-rule.ts';
import type { FaultSet } from './fault-set.ts';

/**
 * Lets the faults that are set happen to requests that the filters in front have let through.
 * @param remembers whether the store still has what was at a revision
 */
export function faultFilter(faults: FaultSet, remembers: (revision: number) => Promise<boolean>): Filter {
  return (request, response, next) => {
    const context = serverContext(request);
    const fault = faults.take(context);
    if (fault === undefined) {
      next(request, response);
      return;
    }
    context.fault = { id: fault.id };
    const { effect } = fault;
    switch (effect.kind) {
      case 'status':
        writeError(request, response, statusOf(effect, context.requestInfo));
        return;
      case 'delay':
        setTimeout(() => {
          if (!context.ended) next(request, response);
        }, effect.milliseconds);
        return;
      case 'cut':
        cut(effect.when, request, response);
        if (effect.when !== 'before') next(request, response);
        return;
      case 'timeout':
        if (effect.when === 'before') writeError(request, response, timeout());
        else {
          instead(response, () => {
            writeError(request, response, timeout());
          });
          next(request, response);
        }
        return;
      case 'stale':
        void pastOf(fault.since, remembers).then((revision) => {
          if (context.ended) return;
          context.fault = { id: fault.id, readAt: revision };
          next(request, response);
        });
        return;
      case 'conflict':
        context.fault = { id: fault.id, overtaken: true };
        next(request, response);
        return;
      default:
        effect satisfies never;
    }
  };
}

/** The revision to read at; undefined when the store has forgotten it. */
async function pastOf(
  since: Promise<number> | undefined,
  remembers: (revision: number) => Promise<boolean>,
): Promise<number | undefined> {
  // A fault whose beginning is not known is met as one of now.
  const revision = await since?.catch(() => undefined);
  return revision !== undefined && (await remembers(revision).catch(() => false)) ? revision : undefined;
}

function timeout(message?: string, retryAfterSeconds?: number): StatusError {
  return new StatusError({
    status: 'Failure',
    message: message ?? 'Timeout: request did not complete within the allotted timeout',
    reason: 'Timeout',
    details: retryAfterSeconds === undefined ? {} : { retryAfterSeconds },
    code: 504,
  });
}

/** The reference's answer for a code; 409 is what a writer gets when another was faster. */
function statusOf(
  { code, message, retryAfterSeconds }: FaultEffect & { readonly kind: 'status' },
  { apiGroup, name, resource }: RequestInfo,
): StatusError {
  const target = { group: apiGroup, resource };
  switch (code) {
    case 401:
      return unauthorized(message ?? 'Unauthorized');
    case 409:
      return conflict(
        target,
        name,
        message ?? 'the object has been modified; please apply your changes to the latest version and try again',
      );
    case 410:
      return resourceExpired(message ?? 'The resourceVersion for the provided watch is too old.');
    case 429:
      return tooManyRequests(message ?? 'Too many requests, please try again later.', retryAfterSeconds ?? 1);
    case 500:
      return internalError(new Error(message ?? 'a fault was asked for'));
    case 503:
      return retryAfterSeconds === undefined
        ? serviceUnavailable(message ?? 'apiserver is shutting down')
        : new StatusError({
            status: 'Failure',
            message: message ?? 'apiserver is shutting down',
            reason: 'ServiceUnavailable',
            details: { retryAfterSeconds },
            code: 503,
          });
    case 504:
      return timeout(message, retryAfterSeconds);
    default:
      return code satisfies never;
  }
}

/** Breaks the connection now, with the first bytes of the body, or in place of the answer. */
function cut(when: FaultMoment, request: IncomingMessage, response: ServerResponse): void {
  if (when === 'before') {
    breakOff(request, response);
    return;
  }
  if (when === 'after') {
    instead(response, () => {
      breakOff(request, response);
    });
    return;
  }
  const write = response.write.bind(response) as (chunk: Uint8Array) => boolean;
  const half = (chunk: unknown): boolean => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Uint8Array | undefined);
    // Node would write it with the first bytes, by a method that is muted then.
    if (!response.headersSent) response.writeHead(response.statusCode);
    mute(response);
    if (bytes !== undefined) write(bytes.subarray(0, Math.ceil(bytes.length / 2)));
    // The half answer is on its way before its connection breaks.
    setTimeout(() => {
      breakOff(request, response);
    }, 10);
    return true;
  };
  response.write = half as typeof response.write;
  response.end = ((chunk?: unknown) => {
    half(typeof chunk === 'function' ? undefined : chunk);
    return response;
  }) as typeof response.end;
}

function breakOff(request: IncomingMessage, response: ServerResponse): void {
  cutResponse(response);
  if (request.httpVersionMajor === 1) request.socket.destroy();
}

/** Does something else at the moment in which a handler begins its answer; what it writes is dropped. */
function instead(response: ServerResponse, answer: () => void): void {
  const own = {
    end: response.end.bind(response),
    flushHeaders: response.flushHeaders.bind(response),
    write: response.write.bind(response),
    writeHead: response.writeHead.bind(response),
  };
  const headers = new Set(response.getHeaderNames());
  const begin = (): void => {
    Object.assign(response, own);
    // Of the answer that is dropped.
    for (const name of response.getHeaderNames()) if (!headers.has(name)) response.removeHeader(name);
    answer();
    mute(response);
  };
  let begun = false;
  const once = (): void => {
    if (begun) return;
    begun = true;
    begin();
  };
  response.writeHead = (() => {
    once();
    return response;
  }) as typeof response.writeHead;
  response.flushHeaders = once;
  response.write = (() => {
    once();
    return true;
  }) as typeof response.write;
  response.end = (() => {
    once();
    return response;
  }) as typeof response.end;
}

/** From now on nothing that is written is sent. */
function mute(response: ServerResponse): void {
  response.writeHead = (() => response) as typeof response.writeHead;
  response.flushHeaders = () => undefined;
  response.write = ((...args: readonly unknown[]) => {
    const done = args.at(-1);
    if (typeof done === 'function') process.nextTick(done as () => void);
    return true;
  }) as typeof response.write;
  response.end = (() => response) as typeof response.end;
}
