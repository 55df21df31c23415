import type { DelegationTarget } from './delegation-target.ts';
import type { GenericAPIServer } from './generic-api-server.ts';

/**
 * The next server in the same process: its Director gets the request as the filters left it (upstream's
 * UnprotectedHandler). Same handlers as over HTTP, no copy of anything.
 */
export function inProcessDelegate(server: GenericAPIServer): DelegationTarget {
  return {
    name: server.name,
    handle(request, response) {
      server.unprotectedHandler(request, response);
    },
    handleUpgrade(request, socket, head) {
      server.unprotectedUpgrade(request, socket, head);
    },
    async healthCheck() {
      /* it runs in this very process */
    },
    async health(endpoint, signal) {
      return server.health(endpoint, signal);
    },
    async listedPaths(signal) {
      return server.listedPaths(signal);
    },
    async metrics(signal) {
      return server.metrics(signal);
    },
    async objectStats(signal) {
      return server.objectStats(signal);
    },
    followDiscovery(onUpdate, signal) {
      const stop = server.discoveryFeed.subscribe(onUpdate);
      signal.addEventListener('abort', stop, { once: true });
    },
    openAPI: server.openAPI,
    async close() {
      /* who has put the server together closes it */
    },
  };
}
