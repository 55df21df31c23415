import type { PartialObjectMetadata } from '@kubechain/apimachinery/types/meta/v1';
import { apiVersionOf, resourceKey } from '../client/resource-type.ts';
import type { DiscoveredResource } from '../discovery/discovery.ts';
import type { InformerFactory } from '../informers/informer-factory.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import type { DependencyGraph } from './dependency-graph.ts';
import type { Identity } from './graph-node.ts';

/** Events own nothing and are owned by nothing that waits for them; there are many. */
const IGNORED: ReadonlySet<string> = new Set(['events.v1', 'events.v1.events.k8s.io']);

interface Monitor {
  readonly resource: DiscoveredResource;
  readonly informer: SharedInformer<PartialObjectMetadata>;
  readonly stop: () => void;
}

/** Follows every resource that can be deleted, listed and watched, and tells the graph. */
export class Monitors {
  readonly #informers: InformerFactory;
  readonly #graph: DependencyGraph;
  readonly #monitors = new Map<string, Monitor>();

  constructor(informers: InformerFactory, graph: DependencyGraph) {
    this.#informers = informers;
    this.#graph = graph;
  }

  get size(): number {
    return this.#monitors.size;
  }

  /** Whether every monitor has shown its first state. */
  get hasSynced(): boolean {
    return this.#monitors.size > 0 && [...this.#monitors.values()].every(({ informer }) => informer.hasSynced);
  }

  /**
   * Follows these resources from now on, and no others but those whose group version could not be asked.
   * Resolves when all have been seen or `signal` aborts.
   */
  async follow(
    resources: readonly DiscoveredResource[],
    { failed, signal }: { readonly failed: ReadonlyMap<string, string>; readonly signal: AbortSignal },
  ): Promise<void> {
    const wanted = new Map(resources.filter(isMonitored).map((resource) => [resourceKey(resource), resource]));
    for (const [key, { resource, stop }] of this.#monitors) {
      if (wanted.has(key) || failed.has(apiVersionOf(resource))) continue;
      stop();
      this.#monitors.delete(key);
    }
    for (const [key, resource] of wanted) if (!this.#monitors.has(key)) this.#monitors.set(key, this.#start(resource));
    await Promise.all([...this.#monitors.values()].map(({ informer }) => informer.waitForSync(signal)));
  }

  #start(resource: DiscoveredResource): Monitor {
    const informer = this.#informers.anyInformer(resource);
    const identity = ({ metadata }: PartialObjectMetadata): Identity => ({
      apiVersion: apiVersionOf(resource),
      kind: resource.kind,
      namespace: metadata?.namespace ?? '',
      name: metadata?.name ?? '',
      uid: metadata?.uid ?? '',
    });
    const remove = informer.addHandlers({
      onAdd: (object) => this.#graph.observed({ identity: identity(object), metadata: object.metadata ?? {} }),
      onUpdate: (object, previous) =>
        this.#graph.observed({
          identity: identity(object),
          metadata: object.metadata ?? {},
          previous: previous.metadata,
        }),
      onDelete: (object) => this.#graph.deleted(identity(object)),
    });
    return {
      resource,
      informer,
      stop: () => {
        remove();
        this.#informers.dropMetadataInformer(resource);
      },
    };
  }
}

function isMonitored(resource: DiscoveredResource): boolean {
  const { verbs } = resource;
  return ['delete', 'list', 'watch'].every((verb) => verbs.includes(verb)) && !IGNORED.has(resourceKey(resource));
}
