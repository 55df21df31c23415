import type { ServerResponse } from 'node:http';
import type { Authorizer } from '../authorization/authorizer.ts';
import type { ServerRequestContext } from '../request/server-request-context.ts';
import type { Filter } from '../request/filter.ts';
import { serverContext } from '../request/server-context.ts';

/** Request header that asks for Server-Timing; without it a request costs one look-up. */
const askHeader = 'x-kubechain-server-timing';
/** Who may see timings: those who may `get` this path. system:masters may. */
const permissionPath = '/debug/server-timing';

/** Tells each caller which process answered; for tests and debugging (`--debug-served-by-header`). */
export function servedBy(name: string): Filter {
  return (request, response, next) => {
    response.setHeader('X-Kubechain-Served-By', name);
    next(request, response);
  };
}

/**
 * Sends `Server-Timing` to callers who ask for it and may `get` /debug/server-timing: the phases of this process and
 * its total until the headers of the answer, each as `<server>.<phase>`. Behind a hop come the entries of all
 * processes.
 */
export function serverTiming(authorizer: Authorizer, server: string): Filter {
  return (request, response, next) => {
    if (request.headers[askHeader] === undefined) {
      next(request, response);
      return;
    }
    const context = serverContext(request);
    const decision = authorizer.authorize({
      user: context.user,
      verb: 'get',
      resourceRequest: false,
      path: permissionPath,
      namespace: '',
      apiGroup: '',
      apiVersion: '',
      resource: '',
      subresource: '',
      name: '',
    });
    void Promise.resolve(decision).then(({ decision: verdict }) => {
      if (verdict === 'Allow') reportTimings(context, server);
      next(request, response);
    });
  };
}

/** Collects phases from now on, and adds them to the response's headers when these are written. */
export function reportTimings(context: ServerRequestContext, server: string): void {
  const { response } = context;
  context.timingWanted = true;
  context.addTiming('filters', performance.now() - context.startedAt);
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  response.writeHead = ((...args: unknown[]) => {
    if (!response.headersSent) {
      context.addTiming('total', performance.now() - context.startedAt);
      for (const [phase, milliseconds] of context.timings ?? [])
        response.appendHeader('Server-Timing', `${server}.${phase};dur=${milliseconds.toFixed(3)}`);
    }
    return writeHead(...args);
  }) as typeof response.writeHead;
}
