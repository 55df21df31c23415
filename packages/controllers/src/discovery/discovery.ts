import type { Client } from '../client/client.ts';
import type { ResourceType } from '../client/resource-type.ts';

/** A resource as discovery tells it. */
export interface DiscoveredResource extends ResourceType {
  readonly verbs: readonly string[];
  readonly singular: string;
}

/** What is served, and which groups could not be asked. */
export interface Discovered {
  /** Preferred versions only, without subresources. */
  readonly resources: readonly DiscoveredResource[];
  /** Group versions that are stale or failed, with the reason. Empty when all is known. */
  readonly failed: ReadonlyMap<string, string>;
}

interface AggregatedDiscovery {
  readonly items?: readonly {
    readonly metadata?: { readonly name?: string };
    readonly versions?: readonly {
      readonly version: string;
      readonly freshness?: string;
      readonly resources?: readonly {
        readonly resource: string;
        readonly responseKind?: { readonly kind?: string };
        readonly scope: 'Namespaced' | 'Cluster';
        readonly singularResource?: string;
        readonly verbs?: readonly string[];
      }[];
    }[];
  }[];
}

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';

/** Asks the server what it serves: two requests, by aggregated discovery. */
export class Discovery {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * All resources in their group's preferred version; one that the preferred version lacks, in the next that has it.
   * @throws StatusError, TransportError when the server cannot be asked
   */
  async preferredResources(): Promise<Discovered> {
    return this.#resources((seen, key) => !seen.has(key));
  }

  /** All resources in all versions. @throws as preferredResources */
  async allResources(): Promise<Discovered> {
    return this.#resources(() => true);
  }

  async #resources(wanted: (seen: ReadonlySet<string>, key: string) => boolean): Promise<Discovered> {
    const documents = await Promise.all(
      ['/api', '/apis'].map((path) =>
        this.#client.json<AggregatedDiscovery>({ method: 'GET', path, accept: AGGREGATED }),
      ),
    );
    const resources: DiscoveredResource[] = [];
    const failed = new Map<string, string>();
    const seen = new Set<string>();
    for (const item of documents.flatMap(({ items }) => items ?? [])) {
      const group = item.metadata?.name ?? '';
      for (const { version, freshness, resources: served } of item.versions ?? []) {
        if (freshness === 'Stale') {
          failed.set(
            group === '' ? version : `${group}/${version}`,
            `stale GroupVersion discovery: ${group}/${version}`,
          );
          continue;
        }
        for (const { resource, responseKind, scope, singularResource, verbs } of served ?? []) {
          const key = `${group}/${resource}`;
          if (!wanted(seen, key)) continue;
          seen.add(key);
          resources.push({
            group,
            version,
            resource,
            kind: responseKind?.kind ?? '',
            namespaced: scope === 'Namespaced',
            verbs: verbs ?? [],
            singular: singularResource ?? '',
          });
        }
      }
    }
    return { resources, failed };
  }
}
