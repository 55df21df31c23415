import { StatusError, internalError, methodNotSupported, notFound as objectNotFound } from '@kubechain/apimachinery';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Auditor } from '../audit/auditor.ts';
import type { RequestPattern } from '../request/request-pattern.ts';
import type { RequestInfo } from '../request/request-context.ts';
import { writeError } from '../responses/write-status.ts';
import type { ResourceRoute, UpgradeHandler } from '../endpoints/route.ts';
import { RequestAbortedError, type ServerRequestContext } from '../request/server-request-context.ts';
import { serverContext } from '../request/server-context.ts';
import { tracedHandler } from '../tracing/traced-handler.ts';
import { Logger } from '../logging/logger.ts';
import { isWebSocketRequest } from '../streaming/web-socket-handshake.ts';
import type { NonResourceMux } from '../mux/non-resource-mux.ts';
import type { ResourceRouteTable } from './resource-route-table.ts';

const log = new Logger('director');

/** The reference's answer to paths that its router does not know. */
export const notFound = new StatusError({
  status: 'Failure',
  message: 'the server could not find the requested resource',
  reason: 'NotFound',
  details: {},
  code: 404,
});
const methodNotAllowed = new StatusError({
  status: 'Failure',
  message: 'the server does not allow this method on the requested resource',
  reason: 'MethodNotAllowed',
  details: {},
  code: 405,
});

/** What the Director chooses from. */
export interface DirectorOptions {
  readonly routes: ResourceRouteTable;
  readonly mux: NonResourceMux;
  readonly auditor?: Auditor | undefined;
  /** Requests at which an attached debugger stops. */
  readonly breakOn?: RequestPattern | undefined;
}

/** Who takes an upgrade. */
export type UpgradeRoute =
  | { readonly kind: 'handler'; readonly handler: UpgradeHandler }
  | { readonly kind: 'ordinary' }
  | { readonly kind: 'delegate' };

const ordinary: UpgradeRoute = { kind: 'ordinary' };

/**
 * Sends a request whose resource is installed to its verb handler, without touching Express, and everything else to
 * the non-resource mux, whose last resort is the delegate (upstream's director).
 */
export class Director {
  readonly #routes: ResourceRouteTable;
  readonly #mux: NonResourceMux;
  readonly #auditor: Auditor | undefined;
  readonly #breakOn: RequestPattern | undefined;
  /**
   * `/api`, `/apis/apps`: below these the server answers everything itself, unknown versions and resources with a 404
   * Status.
   */
  readonly #claimed = new Set<string>();

  constructor({ routes, mux, auditor, breakOn }: DirectorOptions) {
    this.#breakOn = breakOn;
    this.#routes = routes;
    this.#mux = mux;
    this.#auditor = auditor;
  }

  /** Keeps a group (`''`: core) from falling through to the delegate. */
  claim(group: string): void {
    this.#claimed.add(rootOf(group));
  }
  unclaim(group: string): void {
    this.#claimed.delete(rootOf(group));
  }

  /** Answers a request that has been through the filters. */
  readonly serve = (request: IncomingMessage, response: ServerResponse): void => {
    const context = serverContext(request);
    const info = context.requestInfo;
    // oxlint-disable-next-line no-debugger -- --debug-break-on
    if (this.#breakOn?.(info) === true) debugger;
    const route = info.isResourceRequest ? this.#find(info) : undefined;
    if (route === undefined && this.#isCustom(info)) {
      writeError(request, response, objectNotFound({ group: info.apiGroup, resource: info.resource }, info.name));
      return;
    }
    if (route === undefined) {
      if (this.#claims(info.path) && !this.#isOwnDocument(info)) writeError(request, response, notFound);
      else this.#mux.serve(request, response);
      return;
    }
    try {
      this.#handle(route, request, response, context);
    } catch (error) {
      answerError(request, response, error);
    }
  };

  #handle(
    route: ResourceRoute,
    request: IncomingMessage,
    response: ServerResponse,
    context: ServerRequestContext,
  ): void {
    const info = context.requestInfo;
    context.metrics?.routed(context, targetOf(route, info));
    const handler =
      route.custom === true || (allowsMethod(route, info, request.method) && allowsShape(route, info))
        ? route.handlers.get(info.verb)
        : undefined;
    if (handler === undefined) {
      // Without an Allow header: the reference's router sends none.
      const refusal = existsForOtherMethods(route, info) ? methodNotAllowed : notFound;
      writeError(
        request,
        response,
        route.custom === true
          ? methodNotSupported({ group: info.apiGroup, resource: info.resource }, info.verb)
          : refusal,
      );
      return;
    }
    const recorded = this.#auditor?.answeredHere(context);
    const { span } = context;
    const pending =
      recorded === undefined && span === undefined
        ? handler(request, response, context)
        : answered(recorded, () =>
            span === undefined
              ? handler(request, response, context)
              : tracedHandler(span, context, () => handler(request, response, context)),
          );
    if (pending === undefined) return;
    context.pending = pending;
    pending.catch((error: unknown) => {
      answerError(request, response, error);
    });
  }

  /**
   * Who takes an upgrade that has been through the filters: the handler of an installed resource, nobody (the request
   * is answered as an ordinary one), or the delegate, which decides the same way.
   */
  upgradeRoute(request: IncomingMessage): UpgradeRoute {
    const context = serverContext(request);
    const info = context.requestInfo;
    const route = info.isResourceRequest ? this.#find(info) : undefined;
    if (route === undefined)
      return this.#mux.has(info.path) || this.#claims(info.path) || this.#isCustom(info)
        ? ordinary
        : { kind: 'delegate' };
    const handler = upgradeHandler(route, info.verb);
    if (handler === undefined || (info.verb === 'watch' && !isWebSocketRequest(request))) return ordinary;
    context.metrics?.routed(context, targetOf(route, info));
    void this.#auditor?.answeredHere(context);
    return { kind: 'handler', handler };
  }

  #find(info: RequestInfo): ResourceRoute | undefined {
    const route = this.#routes.get(info.apiGroup, info.apiVersion, info.resource, info.subresource);
    if (route === undefined || info.path.startsWith('//')) return undefined;
    if (info.parts.length > 3 && route.acceptsSubpath !== true) return undefined;
    if (route.namespaced === undefined) return route;
    if (
      route.custom === true &&
      route.namespaced &&
      info.namespace === '' &&
      info.verb !== 'list' &&
      info.verb !== 'watch'
    )
      return undefined;
    // A list or watch may go across all namespaces; a namespace itself carries its own name as namespace.
    if (
      route.namespaced
        ? info.namespace === '' && info.parts.length > 1
        : info.namespace !== '' && (info.resource !== 'namespaces' || info.insideNamespace === true)
    )
      return undefined;
    return route;
  }

  /** Whether this is a subresource that its custom resource does not have. */
  #isCustom(info: RequestInfo): boolean {
    if (!info.isResourceRequest || info.subresource === '') return false;
    const parent = this.#find({ ...info, subresource: '' });
    return parent?.custom === true;
  }

  #claims(path: string): boolean {
    if (path.startsWith('/apis/')) {
      const end = path.indexOf('/', 6);
      return this.#claimed.has(end < 0 ? path : path.slice(0, end));
    }
    return (path === '/api' || path.startsWith('/api/')) && this.#claimed.has('/api');
  }

  /** `/apis/apps` and `/apis/apps/v1` are discovery documents of the mux; deeper paths would have been resources. */
  #isOwnDocument(info: RequestInfo): boolean {
    return !info.isResourceRequest && this.#mux.has(info.path);
  }
}

/** Answers a request once the audit log has recorded its arrival. */
async function answered(recorded: Promise<boolean> | undefined, answer: () => void | Promise<void>): Promise<void> {
  if ((await recorded) === false) refuseUnrecorded();
  await answer();
}

/** Source: endpoints/filters/audit.go WithAudit, 1.36. */
function refuseUnrecorded(): never {
  throw internalError('failed to store audit event');
}

/** The route's handler for upgrades. A route that cannot be loaded has none: the ordinary answer then says why. */
function upgradeHandler(route: ResourceRoute, verb: string): UpgradeHandler | undefined {
  try {
    return route.upgrades?.get(verb);
  } catch {
    return undefined;
  }
}

/**
 * Whether the route takes the method. RequestInfo derives reads from some other methods, too (`/watch/` with a POST),
 * for which the reference has no route.
 */
function allowsMethod({ methods }: ResourceRoute, { verb }: RequestInfo, method: string | undefined): boolean {
  if (methods !== undefined) return methods.has(method ?? '');
  return method === 'GET' || (verb !== 'get' && verb !== 'list' && verb !== 'watch');
}

/**
 * Whether the verb goes with the path: collections are not updated, objects are not created into, and only reads go
 * across namespaces.
 */
function allowsShape(route: ResourceRoute, info: RequestInfo): boolean {
  switch (info.verb) {
    case 'update':
    case 'patch':
      return info.name !== '';
    case 'create':
      return info.parts.length !== 2 && (route.namespaced !== true || info.namespace !== '');
    case 'deletecollection':
      return route.namespaced !== true || info.namespace !== '';
    default:
      return true;
  }
}

/**
 * Whether the path answers to any other method (405 rather than 404). Reviews, for one, can be posted to, but there are
 * no objects below them.
 */
function existsForOtherMethods({ handlers, namespaced }: ResourceRoute, info: RequestInfo): boolean {
  // The deprecated paths below /proxy/ were removed, those below /watch/ are of what can be watched.
  if (info.verb === 'proxy' || (info.verb === 'watch' && info.verbInPath === true && !handlers.has('watch')))
    return false;
  if (info.subresource !== '') return true;
  // A field selector sets the name as well, but the path is the collection's.
  if (info.name !== '' && info.parts.length > 1)
    return handlers.has('get') || handlers.has('update') || handlers.has('patch') || handlers.has('delete');
  if (handlers.has('list') || handlers.has('watch')) return true;
  return (namespaced !== true || info.namespace !== '') && (handlers.has('create') || handlers.has('deletecollection'));
}

function rootOf(group: string): string {
  return group === '' ? '/api' : `/apis/${group}`;
}

const targets = new WeakMap<
  ResourceRoute,
  { readonly group: string; readonly version: string; readonly resource: string; readonly subresource: string }
>();

function targetOf(
  route: ResourceRoute,
  info: RequestInfo,
): { readonly group: string; readonly version: string; readonly resource: string; readonly subresource: string } {
  let target = targets.get(route);
  if (target === undefined)
    targets.set(
      route,
      (target = {
        group: info.apiGroup,
        version: info.apiVersion,
        resource: info.resource,
        subresource: info.subresource,
      }),
    );
  return target;
}

/** Renders what a handler threw; an error that is no Status is the server's fault and is logged. */
export function answerError(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (error instanceof RequestAbortedError && error.kind === 'client') {
    response.destroy();
    return;
  }
  if (!(error instanceof StatusError))
    log.error(
      'apiserver received an error that is not a Status',
      error instanceof Error ? (error.stack ?? error) : error,
      { URI: request.url },
    );
  writeError(request, response, error);
}

/** A plain HTTP answer to an upgrade. */
export interface UpgradeRefusal {
  readonly code: number;
  readonly text: string;
  readonly body?: string;
  readonly retryAfterSeconds?: number;
  /** Default JSON. */ readonly contentType?: string;
}

/** Refuses an upgrade with a plain HTTP response on its raw socket. */
export function refuseUpgrade(
  socket: Duplex,
  { code, text, body = '', retryAfterSeconds, contentType = 'application/json' }: UpgradeRefusal,
): void {
  const retryAfter = retryAfterSeconds === undefined ? '' : `Retry-After: ${retryAfterSeconds}\r\n`;
  socket.end(
    `HTTP/1.1 ${code} ${text}\r\nContent-Type: ${contentType}\r\n${retryAfter}Content-Length: ` +
      `${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
