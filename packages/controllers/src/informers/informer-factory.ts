import type { KubeObject, TimerClock } from '@kubechain/apimachinery';
import type { PartialObjectMetadata } from '@kubechain/apimachinery/types/meta/v1';
import type { Client } from '../client/client.ts';
import { resourceKey, type ResourceType } from '../client/resource-type.ts';
import type { InformerEnds } from './informer-ends.ts';
import { ownersOnly } from './owners-only.ts';
import { SharedInformer, type SharedInformerOptions } from './shared-informer.ts';

export interface InformerFactoryOptions {
  readonly client: Client;
  readonly clock: TimerClock;
  readonly random: () => number;
  /** For handlers that ask for no period of their own. Default: never. */
  readonly resyncMs?: number;
  readonly onError?: (error: unknown, resource: string) => void;
  /** Where it is counted why watches end. Default: nowhere. */
  readonly ends?: InformerEnds | undefined;
}

/**
 * One informer per resource, shared by all controllers of a process. Informers that are asked for after `start` begin
 * at once.
 */
export class InformerFactory {
  readonly #options: InformerFactoryOptions;
  readonly #informers = new Map<string, { readonly informer: SharedInformer<never>; readonly stop: AbortController }>();
  #signal: AbortSignal | undefined;

  constructor(options: InformerFactoryOptions) {
    this.#options = options;
  }

  /**
   * All objects of a resource, or those that a field selector finds, which are followed by themselves: whoever needs
   * few of them does not hold the others.
   */
  informer<T extends object = KubeObject>(
    type: ResourceType<T>,
    { fieldSelector }: { readonly fieldSelector?: string } = {},
  ): SharedInformer<T> {
    const key = resourceKey(type);
    return this.#of<T>(fieldSelector === undefined ? key : `${key} ${fieldSelector}`, type, { fieldSelector });
  }

  /** Only what `ownersOnly` leaves of `metadata`, of all objects; a watch of its own beside the full one. */
  metadataInformer(type: ResourceType<unknown>): SharedInformer<PartialObjectMetadata> {
    return this.#of<PartialObjectMetadata>(
      `metadata ${resourceKey(type)}`,
      type as ResourceType<PartialObjectMetadata>,
      { metadataOnly: true, transform: ownersOnly },
    );
  }

  /** The full informer where a controller has asked for one, else a metadata informer. */
  anyInformer(type: ResourceType<unknown>): SharedInformer<PartialObjectMetadata> {
    const full = this.#informers.get(resourceKey(type))?.informer as unknown as
      | SharedInformer<PartialObjectMetadata>
      | undefined;
    return full ?? this.metadataInformer(type);
  }

  /** Ends a metadata informer, because its resource is no longer served. */
  dropMetadataInformer(type: ResourceType<unknown>): void {
    const key = `metadata ${resourceKey(type)}`;
    this.#informers.get(key)?.stop.abort();
    this.#informers.delete(key);
  }

  start(signal: AbortSignal): void {
    this.#signal = signal;
    for (const { informer, stop } of this.#informers.values()) informer.start(AbortSignal.any([signal, stop.signal]));
  }

  #of<T extends object>(
    key: string,
    type: ResourceType<T>,
    what: Pick<SharedInformerOptions<T>, 'fieldSelector' | 'metadataOnly' | 'transform'>,
  ): SharedInformer<T> {
    const known = this.#informers.get(key);
    if (known !== undefined) return known.informer as unknown as SharedInformer<T>;
    const { client, clock, ends, random, resyncMs, onError } = this.#options;
    const informer = new SharedInformer<T>({
      resource: client.resource(type),
      clock,
      random,
      ...what,
      ...(resyncMs === undefined ? {} : { resyncMs }),
      onError: (error) => onError?.(error, resourceKey(type)),
      onEnd: (end) => ends?.ended(resourceKey(type), end),
    });
    const stop = new AbortController();
    this.#informers.set(key, { informer: informer as unknown as SharedInformer<never>, stop });
    if (this.#signal !== undefined) informer.start(AbortSignal.any([this.#signal, stop.signal]));
    return informer;
  }
}
