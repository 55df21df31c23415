import type { MetricRegistry } from '@kubechain/shared-storage/metrics';

/** What a request asks for. */
export interface RequestedResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** A request for discovery. */
export const noResource: RequestedResource = { group: '', version: '', resource: '' };

/** Metrics of what is handed to peers (apiserver/pkg/util/peerproxy/metrics and discovery/aggregated, 1.36). */
export class PeerMetrics {
  readonly #rerouted;
  readonly #proxyErrors;
  readonly #syncErrors;

  constructor(registry: MetricRegistry) {
    this.#rerouted = registry.counter(
      'apiserver_rerouted_request_total',
      'Total number of requests that were proxied to a peer kube-apiserver because the local apiserver was not ' +
        "capable of serving it, broken down by 'group', 'version', and 'resource' indicating the GVR of the request. " +
        'If all three are empty (""), the request is a discovery request.',
      ['code', 'group', 'version', 'resource'],
    );
    this.#proxyErrors = registry.counter(
      'apiserver_peer_proxy_errors_total',
      'Total number of errors encountered while proxying requests to a peer kube apiserver',
      ['type', 'group', 'version', 'resource'],
    );
    this.#syncErrors = registry.counter(
      'apiserver_peer_discovery_sync_errors_total',
      'Total number of errors encountered while syncing discovery information from a peer kube-apiserver',
      ['type'],
    );
  }

  /** A peer has answered; a request for discovery is about no resource. */
  rerouted(code: number, { group, resource, version }: RequestedResource): void {
    this.#rerouted.cell(String(code), group, version, resource).inc();
  }

  /** No peer could be asked. */
  failed(type: 'endpoint_resolution' | 'proxy_transport', { group, resource, version }: RequestedResource): void {
    this.#proxyErrors.cell(type, group, version, resource).inc();
  }

  discoveryFailed(type: 'fetch_discovery' | 'hostport_resolution' | 'lease_list'): void {
    this.#syncErrors.cell(type).inc();
  }
}
