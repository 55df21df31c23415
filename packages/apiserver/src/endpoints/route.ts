import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { RequestContext } from '../request/request-context.ts';

/** Answers one resource request. Errors that it throws or rejects with are rendered as Status by the Director. */
export type ResourceHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  context: RequestContext,
) => void | Promise<void>;
/**
 * The same for a request that changes its protocol. Until it has written to the socket, its errors are rendered, too.
 */
export type UpgradeHandler = (
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  context: RequestContext,
) => void | Promise<void>;

/** One installed resource or subresource of one group version: what the Director looks up. */
export interface ResourceRoute {
  /** RequestInfo verb → handler; a verb that is missing is answered 405. */
  readonly handlers: ReadonlyMap<string, ResourceHandler>;
  /** RequestInfo verb → handler of upgrades; without one an upgrade is answered as if it did not ask to be one. */
  readonly upgrades?: ReadonlyMap<string, UpgradeHandler>;
  /**
   * When set, the Director refuses (404) paths of the other shape: a name without a namespace, a namespace before a
   * cluster-scoped resource.
   */
  readonly namespaced?: boolean;
  /** Whether path parts may follow the subresource (proxy, exec). Default false: such paths are 404. */
  readonly acceptsSubpath?: boolean;
  /**
   * HTTP methods of a resource that is connected to (proxy, exec, log). Absent: the one method of each verb, so that
   * HEAD, for one, is answered 405.
   */
  readonly methods?: ReadonlySet<string>;
  /**
   * Custom resources, which the reference serves without its router: any verb reaches the handlers by any path of the
   * resource, subresources that do not exist are 404 for the object, and verbs that do not exist are named. Default
   * false.
   */
  readonly custom?: boolean;
}

/** What a route leads to; `subresource` is '' for the resource itself. */
export interface RoutedResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
}
/** The routes of a server's resources. They may be added and removed while it runs (custom resources). */
export interface ResourceRoutes {
  get(group: string, version: string, resource: string, subresource: string): ResourceRoute | undefined;
  set(at: RoutedResource, route: ResourceRoute): void;
  delete(at: RoutedResource): void;
}
