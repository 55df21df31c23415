import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { serviceUnavailable } from '@kubechain/apimachinery';
import { getRequestContext, refuseFilteredUpgrade } from '@kubechain/apiserver/proxies';
import { writeError } from '@kubechain/apiserver/servers';
import { RemoteProxy } from '../remote/remote-proxy.ts';
import type { RemoteService } from '../remote/remote-service.ts';
import { RemoteUpgrades } from '../remote/remote-upgrade.ts';
import { proxiedHeader } from './peer-discovery.ts';
import type { PeerMetrics, RequestedResource } from './peer-metrics.ts';

const noAddress = 'Error getting ip and port info of the remote server while proxying';

export interface PeerProxyOptions {
  /** Connections to peers, all alike, as they are now. */
  readonly peers: () => RemoteService;
  /** Identities of peers that serve what this chain does not; none where it serves it itself, or nobody does. */
  readonly serving: (resource: RequestedResource) => readonly string[];
  /** `host:port` of those of them that have told one. */
  readonly addressesOf: (serverIDs: readonly string[]) => Promise<readonly string[]>;
  readonly metrics: PeerMetrics;
  /** In [0, 1); chooses among peers. */
  readonly random: () => number;
}

/**
 * Hands requests for resources that this chain does not serve to an API server over the same store that does, with the
 * word of this one on who asks (apiserver/pkg/util/peerproxy/peerproxy_handler.go, 1.36).
 */
export class PeerProxy {
  readonly #options: PeerProxyOptions;
  // What the peer says goes to the client as it is.
  readonly #proxy = new RemoteProxy(undefined, { failurePrefix: '', rejectRedirects: false });
  readonly #upgrades = new RemoteUpgrades();

  constructor(options: PeerProxyOptions) {
    this.#options = options;
  }

  /** Whether a request is to be handed on. */
  takes(request: IncomingMessage): boolean {
    const { isResourceRequest } = getRequestContext(request).requestInfo;
    if (!isResourceRequest || request.headers[proxiedHeader] === 'true') return false;
    return this.#options.serving(requested(request)).length > 0;
  }

  /** Answers a request that is to be handed on, whatever happens. */
  handle(request: IncomingMessage, response: ServerResponse): void {
    const resource = requested(request);
    this.#target(request, resource)
      .then((target) => {
        response.once('close', () => {
          this.#options.metrics.rerouted(response.statusCode, resource);
        });
        // Watches are the peer's business: its initial events cost this server little.
        getRequestContext(request).watchInitialized?.();
        this.#proxy.handle(request, response, target);
      })
      .catch((error: unknown) => {
        writeError(request, response, error);
      });
  }

  /** The same for an upgrade. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#target(request, requested(request))
      .then((target) => {
        getRequestContext(request).watchInitialized?.();
        this.#upgrades.start({ request, socket, head }, target);
      })
      .catch(() => {
        refuseFilteredUpgrade(request, socket, { code: 503, text: noAddress });
      });
  }

  /** Cuts all upgrades. */
  close(): void {
    this.#upgrades.close();
  }

  /** Some peer that serves the resource and has an address. @throws StatusError ServiceUnavailable */
  async #target(
    request: IncomingMessage,
    resource: RequestedResource,
  ): Promise<{ readonly remote: RemoteService; readonly address: string }> {
    const { addressesOf, metrics, peers, random, serving } = this.#options;
    const addresses = await addressesOf(serving(resource));
    const address = addresses[Math.floor(random() * addresses.length)];
    if (address === undefined) {
      metrics.failed('endpoint_resolution', resource);
      throw serviceUnavailable(noAddress);
    }
    const remote = peers();
    if (remote.transportError !== undefined) {
      metrics.failed('proxy_transport', resource);
      throw serviceUnavailable(remote.transportError.message);
    }
    request.headers[proxiedHeader] = 'true';
    return { remote, address };
  }
}

function requested(request: IncomingMessage): RequestedResource {
  const { apiGroup, apiVersion, resource } = getRequestContext(request).requestInfo;
  return { group: apiGroup, version: apiVersion, resource };
}
