import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  discoveryDocument,
  negotiateAggregated,
  serveAggregated,
  serveDocument,
  writeError,
} from '@kubechain/apiserver/servers';
import type { ObjectInformer } from '@kubechain/apiserver/resources';
import type {
  APIGroup,
  APIGroupDiscovery,
  DelegationTarget,
  DiscoveryDocument,
  DiscoveryManager,
  NonResourceMux,
} from '@kubechain/apiserver/servers';
import type { APIService } from '../apiservice/api-service.ts';
import { aggregatedGroups } from './aggregated-groups.ts';
import type { DiscoveryMetrics } from './discovery-metrics.ts';
import { groupsOf } from './group-list.ts';
import type { RemoteDiscovery } from './remote-discovery.ts';

export interface DiscoveryRoutesOptions {
  readonly mux: NonResourceMux;
  readonly own: DiscoveryManager;
  readonly ownGroup: string;
  readonly delegated: DiscoveryManager;
  readonly remote: RemoteDiscovery;
  readonly services: ObjectInformer<APIService>;
  /** Answers what has no APIService. */
  readonly delegate: DelegationTarget;
  readonly metrics: DiscoveryMetrics;
  /**
   * What is served here with what other API servers over the same store serve; undefined where they are not asked.
   * Whoever gives it tells of changes: `peersChanged`.
   */
  readonly withPeers?: ((own: readonly APIGroupDiscovery[]) => readonly APIGroupDiscovery[]) | undefined;
}

/**
 * Serves /apis and /apis/<group> for everything that has an APIService, and aggregated discovery. Documents are made on
 * first use after a change and kept as bytes: no request for discovery leaves this process. Documents of single
 * versions come from the servers that serve them.
 */
export class DiscoveryRoutes {
  readonly #options: DiscoveryRoutesOptions;
  #list: DiscoveryDocument | undefined;
  #aggregated: { readonly groups: readonly APIGroupDiscovery[]; readonly document: DiscoveryDocument } | undefined;
  #ofAll: DiscoveryDocument | undefined;
  #groups: Map<string, DiscoveryDocument> | undefined;
  readonly #stop: () => void;

  constructor(options: DiscoveryRoutesOptions) {
    this.#options = options;
    const { mux, delegated, services } = options;
    const answered = (serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>) => {
      return (request: IncomingMessage, response: ServerResponse): void => {
        serve(request, response).catch((error: unknown) => {
          writeError(request, response, error);
        });
      };
    };
    mux.handle(
      '/apis',
      answered((request, response) => this.#serveRoot(request, response)),
    );
    // With a slash it has no aggregated form.
    mux.handle(
      '/apis/',
      answered((request, response) => this.#serveList(request, response)),
    );
    services.onChange(() => {
      this.servicesChanged();
    });
    this.#stop = delegated.onChange(() => {
      this.aggregatedChanged();
    });
  }

  /** Serves the document of a group for as long as it has APIServices, and the delegate's after that. */
  addGroup(group: string): void {
    this.#options.mux.handle(
      `/apis/${group}`,
      (request, response) => {
        const document = this.#group(group);
        if (document === undefined) this.#options.delegate.handle(request, response);
        else
          serveDocument(request, response, document, { unrouted: true }).catch((error: unknown) => {
            writeError(request, response, error);
          });
      },
      { trailingSlash: true },
    );
  }

  removeGroup(group: string): void {
    this.#options.mux.remove(`/apis/${group}`);
  }

  servicesChanged(): void {
    this.#list = undefined;
    this.#groups = undefined;
    this.aggregatedChanged();
  }

  aggregatedChanged(): void {
    this.#aggregated = undefined;
    this.#ofAll = undefined;
  }

  /** To be called when other API servers serve something else than before. */
  peersChanged(): void {
    this.#ofAll = undefined;
  }

  stop(): void {
    this.#stop();
  }

  #group(name: string): DiscoveryDocument | undefined {
    if (this.#groups === undefined) {
      this.#groups = new Map();
      for (const group of groupsOf(this.#options.services.values()))
        this.#groups.set(group.name, discoveryDocument({ kind: 'APIGroup', apiVersion: 'v1', ...group }));
    }
    return this.#groups.get(name);
  }

  async #serveRoot(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const output = negotiateAggregated(request);
    if (output !== undefined)
      return serveAggregated(request, response, { document: this.#aggregatedFor(output.profile), output });
    return this.#serveList(request, response);
  }

  #serveList(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#list ??= discoveryDocument({ kind: 'APIGroupList', apiVersion: 'v1', groups: this.#allGroups() });
    return serveDocument(request, response, this.#list, { unrouted: true });
  }

  #aggregatedFor(profile: string | undefined): DiscoveryDocument {
    const { metrics, withPeers } = this.#options;
    if (profile === 'nopeer') metrics.ofThisAlone();
    else if (withPeers !== undefined) {
      metrics.ofAll(this.#ofAll !== undefined);
      return (this.#ofAll ??= aggregatedDocument(withPeers(this.#ofThis().groups)));
    }
    return this.#ofThis().document;
  }

  #ofThis(): { readonly groups: readonly APIGroupDiscovery[]; readonly document: DiscoveryDocument } {
    if (this.#aggregated === undefined) {
      this.#options.metrics.aggregated();
      const groups = aggregatedGroups(this.#options);
      this.#aggregated = { groups, document: aggregatedDocument(groups) };
    }
    return this.#aggregated;
  }

  /** This server's own group comes first, whatever anybody registers. */
  #allGroups(): APIGroup[] {
    const { own, ownGroup, services } = this.#options;
    const group = own.group(ownGroup);
    return [...(group === undefined ? [] : [group]), ...groupsOf(services.values())];
  }
}

function aggregatedDocument(items: readonly APIGroupDiscovery[]): DiscoveryDocument {
  return discoveryDocument(
    { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items },
    true,
  );
}
