import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  getRequestContext,
  refuseFilteredUpgrade,
  ServiceResolutionError,
  writeTextError,
} from '@kubechain/apiserver/proxies';
import type { DelegationTarget } from '@kubechain/apiserver/servers';
import { RemoteProxy } from '../remote/remote-proxy.ts';
import type { RemoteProxyOptions } from '../remote/remote-proxy.ts';
import type { RemoteService } from '../remote/remote-service.ts';
import type { RemoteTerminations } from '../remote/remote-terminations.ts';
import { RemoteUpgrades } from '../remote/remote-upgrade.ts';

/** Extension API servers by path prefix: `/apis/<group>/<version>`, `/api` for the core group. */
export type RemoteRoutes = ReadonlyMap<string, RemoteService>;

type Route =
  | { readonly kind: 'local' }
  | { readonly kind: 'remote'; readonly target: { readonly remote: RemoteService; readonly address: string } }
  | { readonly kind: 'refused'; readonly code: 500 | 503; readonly text: string };

const local: Route = { kind: 'local' };
const unavailable: Route = { kind: 'refused', code: 503, text: 'service unavailable' };

/** Hands on what the chain does not serve. */
export interface PeerHandler {
  takes(request: IncomingMessage): boolean;
  handle(request: IncomingMessage, response: ServerResponse): void;
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

export interface AggregatingOptions extends RemoteProxyOptions {
  /** Where it is told why exchanges with extension servers have ended; default: nowhere. */
  readonly terminations?: RemoteTerminations;
  /** Other API servers over the same store, once they are known; default: nothing is handed to any. */
  readonly peers?: (() => PeerHandler | undefined) | undefined;
}

/**
 * The next server of the chain, with extension API servers in front of it: requests below a group version whose
 * APIService names a service go there, all others on along the chain (kube-aggregator's proxyHandler, 1.36).
 */
export function aggregatingDelegate(
  next: DelegationTarget,
  routes: RemoteRoutes,
  { peers, terminations, ...options }: AggregatingOptions = {},
): DelegationTarget {
  const proxy = new RemoteProxy(terminations, options);
  const upgrades = new RemoteUpgrades(terminations);
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const route = routeOf(getRequestContext(request).requestInfo.path, routes);
    switch (route.kind) {
      case 'local':
        if (peers === undefined) next.handle(request, response);
        else takerOf(request, peers(), next).handle(request, response);
        return;
      case 'remote':
        // Watches are the extension server's business: its initial events cost this one little.
        getRequestContext(request).watchInitialized?.();
        proxy.handle(request, response, route.target);
        return;
      case 'refused':
        writeTextError(response, route.code, route.text);
        return;
      default:
        route satisfies never;
    }
  };
  const handleUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const route = routeOf(getRequestContext(request).requestInfo.path, routes);
    switch (route.kind) {
      case 'local':
        if (peers === undefined) next.handleUpgrade(request, socket, head);
        else takerOf(request, peers(), next).handleUpgrade(request, socket, head);
        return;
      case 'remote':
        getRequestContext(request).watchInitialized?.();
        upgrades.start({ request, socket, head }, route.target);
        return;
      case 'refused':
        refuseFilteredUpgrade(request, socket, route);
        return;
      default:
        route satisfies never;
    }
  };
  return {
    name: next.name,
    handle,
    handleUpgrade,
    healthCheck: (signal) => next.healthCheck(signal),
    ...(next.health === undefined ? {} : { health: next.health.bind(next) }),
    ...(next.listedPaths === undefined ? {} : { listedPaths: next.listedPaths.bind(next) }),
    ...(next.metrics === undefined ? {} : { metrics: next.metrics.bind(next) }),
    ...(next.followDiscovery === undefined ? {} : { followDiscovery: next.followDiscovery.bind(next) }),
    ...(next.objectStats === undefined ? {} : { objectStats: next.objectStats.bind(next) }),
    ...(next.openAPI === undefined ? {} : { openAPI: next.openAPI }),
    async close() {
      upgrades.close();
    },
  };
}

type Taker = Pick<DelegationTarget, 'handle' | 'handleUpgrade'>;

function takerOf(request: IncomingMessage, peers: PeerHandler | undefined, next: Taker): Taker {
  return peers?.takes(request) === true ? peers : next;
}

function routeOf(path: string, routes: RemoteRoutes): Route {
  if (routes.size === 0) return local;
  const remote = routes.get(prefixOf(path));
  if (remote === undefined) return local;
  if (!remote.available) return unavailable;
  if (remote.transportError !== undefined) return { kind: 'refused', code: 500, text: remote.transportError.message };
  try {
    return { kind: 'remote', target: { remote, address: remote.address() } };
  } catch (error) {
    if (error instanceof ServiceResolutionError) return unavailable;
    throw error;
  }
}

/** `/apis/<group>/<version>` of a path, `/api` of the core group's. */
function prefixOf(path: string): string {
  if (path === '/api' || path.startsWith('/api/')) return '/api';
  const group = path.indexOf('/', 1);
  const version = group < 0 ? -1 : path.indexOf('/', group + 1);
  const end = version < 0 ? -1 : path.indexOf('/', version + 1);
  return end < 0 ? path : path.slice(0, end);
}
