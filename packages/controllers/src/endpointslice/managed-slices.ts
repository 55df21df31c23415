import { isNotFound, messageOf } from '@kubechain/apimachinery';
import type { EndpointSlice } from '@kubechain/apimachinery/types/discovery/v1';
import type { ResourceClient } from '../client/resource-client.ts';
import { hasCause, NAMESPACE_TERMINATING } from '../controller/has-cause.ts';
import { keyOf, splitKey } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { MANAGED_BY, SERVICE_NAME, type SlicePlan } from './plan-slices.ts';
import { WrittenSlices } from './written-slices.ts';

export interface ManagedSlicesOptions {
  readonly client: ResourceClient<EndpointSlice>;
  readonly informer: SharedInformer<EndpointSlice>;
  /** Value of the label that says whose slices they are. */
  readonly manager: string;
  /** What slices are made for, in errors. */
  readonly kind: 'Service' | 'Endpoints';
  /** Somebody else has changed or deleted a slice of a service. */
  readonly changed: (key: string) => void;
  /** Somebody else has given a slice of a service to another. */
  readonly moved: (key: string) => void;
}

/** The slices of one manager, by service: found, followed and written, so that it knows its own writes from others'. */
export class ManagedSlices {
  readonly #options: ManagedSlicesOptions;
  readonly #index: string;
  readonly #written: WrittenSlices;

  constructor(options: ManagedSlicesOptions) {
    const { changed, informer, manager, moved } = options;
    this.#options = options;
    this.#index = `${manager} service`;
    this.#written = new WrittenSlices((slice) => informer.get(keyOf(slice)));
    const isOurs = ({ metadata }: EndpointSlice): boolean =>
      metadata?.labels?.[MANAGED_BY] === manager && (metadata.labels[SERVICE_NAME] ?? '') !== '';
    informer.addIndex(this.#index, (slice) => (isOurs(slice) ? [serviceKeyOf(slice)] : []));
    const seen = (slice: EndpointSlice): void => {
      if (isOurs(slice) && !this.#written.seen(serviceKeyOf(slice), slice)) changed(serviceKeyOf(slice));
    };
    informer.addHandlers({
      onAdd: seen,
      onUpdate: (slice, previous) => {
        seen(slice);
        // The label was moved: the service that it was of is short of a slice.
        if (isOurs(previous) && (!isOurs(slice) || serviceKeyOf(slice) !== serviceKeyOf(previous)))
          moved(serviceKeyOf(previous));
      },
      onDelete: (slice) => {
        if (isOurs(slice) && !this.#written.gone(serviceKeyOf(slice), slice)) changed(serviceKeyOf(slice));
      },
    });
  }

  of(key: string): readonly EndpointSlice[] {
    return this.#options.informer.byIndex(this.#index, key);
  }

  /** @throws Error while the informer does not show what was written */
  checkFresh(key: string): void {
    if (this.#written.pending(key)) throw new Error(`EndpointSlice informer cache is out of date for ${key}`);
  }

  /** The service is gone. */
  forget(key: string): void {
    this.#written.delete(key);
  }

  /**
   * Creates, updates, then deletes; nothing is made for an owner that goes. @throws Error that names slice and owner
   */
  async carryOut(key: string, plan: SlicePlan, { ownerGoes }: { readonly ownerGoes: boolean }): Promise<void> {
    const { client, kind } = this.#options;
    const { namespace } = splitKey(key);
    const failed = (what: string, error: unknown): Error =>
      new Error(`failed to ${what} for ${kind} ${key}: ${messageOf(error)}`, { cause: error });
    for (const slice of ownerGoes ? [] : plan.create) {
      try {
        this.#written.wrote(key, await client.create(slice));
      } catch (error) {
        if (hasCause(error, NAMESPACE_TERMINATING)) return;
        throw failed('create EndpointSlice', error);
      }
    }
    for (const slice of plan.update) {
      try {
        this.#written.wrote(key, await client.update({ ...slice, metadata: { ...slice.metadata, namespace } }));
      } catch (error) {
        throw failed(`update ${slice.metadata?.name ?? ''} EndpointSlice`, error);
      }
    }
    await this.remove(key, plan.remove);
  }

  async remove(key: string, slices: readonly EndpointSlice[]): Promise<void> {
    const { namespace } = splitKey(key);
    for (const slice of slices) {
      try {
        await this.#options.client.delete({ namespace, name: slice.metadata?.name ?? '' });
        this.#written.removed(key, slice);
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    }
  }
}

function serviceKeyOf({ metadata }: EndpointSlice): string {
  return `${metadata?.namespace ?? ''}/${metadata?.labels?.[SERVICE_NAME] ?? ''}`;
}
