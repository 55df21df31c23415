import { apiVersionOf } from '../client/resource-type.ts';
import type { Discovery, DiscoveredResource } from './discovery.ts';

/** No resource has this kind, as far as discovery tells. */
export class UnknownKindError extends Error {
  override readonly name = 'UnknownKindError';
  constructor(apiVersion: string, kind: string) {
    super(`unable to get REST mapping for ${apiVersion}/${kind}.`);
  }
}

/** Finds the resource of a kind; asks discovery again when it does not know one, at most once a second. */
export class ResourceMapper {
  readonly #discovery: Discovery;
  readonly #now: () => number;
  #byKind = new Map<string, DiscoveredResource>();
  #refreshing: Promise<void> | undefined;
  #refreshedMs = Number.NEGATIVE_INFINITY;

  constructor(discovery: Discovery, now: () => number) {
    this.#discovery = discovery;
    this.#now = now;
  }

  /** @throws UnknownKindError; StatusError, TransportError when discovery fails */
  async resourceOf(apiVersion: string, kind: string): Promise<DiscoveredResource> {
    const key = `${apiVersion} ${kind}`;
    const known = this.#byKind.get(key);
    if (known !== undefined) return known;
    if (this.#refreshing !== undefined || this.#now() - this.#refreshedMs >= 1000) await this.refresh();
    const found = this.#byKind.get(key);
    if (found === undefined) throw new UnknownKindError(apiVersion, kind);
    return found;
  }

  /** Forgets everything and asks again. */
  refresh(): Promise<void> {
    this.#refreshing ??= (async () => {
      try {
        const { resources } = await this.#discovery.allResources();
        const byKind = new Map<string, DiscoveredResource>();
        for (const resource of resources) {
          const key = `${apiVersionOf(resource)} ${resource.kind}`;
          if (!byKind.has(key)) byKind.set(key, resource);
        }
        this.#byKind = byKind;
        this.#refreshedMs = this.#now();
      } finally {
        this.#refreshing = undefined;
      }
    })();
    return this.#refreshing;
  }
}
