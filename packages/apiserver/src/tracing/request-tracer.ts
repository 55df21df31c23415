import type { ServerRequestContext } from '../request/server-request-context.ts';
import type { Filter, NamedFilter } from '../request/filter.ts';
import { serverContext } from '../request/server-context.ts';
import { passedTraces } from './passed-traces.ts';

/** Where a request comes from: a client, or the process in front, which has decided whether it is traced. */
export type RequestOrigin = 'client' | 'hop';

/** Traces requests where --tracing-config-file is given; otherwise passes on that they are traced elsewhere. */
export interface RequestTracer {
  /** The request has a user: from here on it has a span. */
  begin(context: ServerRequestContext, origin: RequestOrigin): void;
  /** It has been answered. An observer of requests as it is. */
  readonly ended: (context: ServerRequestContext) => void;
}

/** Filters that are steps of a trace, under the reference's names (DefaultBuildHandlerChain, 1.36). */
const steps: ReadonlyMap<string, string> = new Map([
  ['audit', 'audit'],
  ['impersonation', 'constrainedimpersonation'],
  ['priority-and-fairness', 'priorityandfairness'],
  ['authorization', 'authorization'],
]);

/** The filter behind which requests have users. */
const authenticates: ReadonlySet<string> = new Set(['authentication', 'delegated-authentication']);

/** Filters with the one that begins a trace among them, and those that are steps of it where there is a tracer. */
export function tracedFilters(
  given: RequestTracer | undefined,
  origin: RequestOrigin,
  filters: readonly NamedFilter[],
): readonly NamedFilter[] {
  const tracer = given ?? passedTraces;
  const begin: Filter = (request, response, next) => {
    tracer.begin(serverContext(request), origin);
    next(request, response);
  };
  return filters.flatMap((named) => {
    if (authenticates.has(named.name)) return [named, { name: 'tracing', filter: begin }];
    const name = given === undefined ? undefined : steps.get(named.name);
    return name === undefined ? [named] : [{ name: named.name, filter: traced(name, named.filter) }];
  });
}

/** A filter whose step lasts until the next one begins, or the request is answered. */
function traced(name: string, filter: Filter): Filter {
  return (request, response, next) => {
    const span = serverContext(request).span?.child(name);
    if (span === undefined) filter(request, response, next);
    else
      filter(request, response, (...passed) => {
        span.end();
        next(...passed);
      });
  };
}
