import { formatTime, isNotFound, type KubeObject, type TimerClock } from '@kubechain/apimachinery';
import type { Event, ObjectReference } from '@kubechain/apimachinery/types/core/v1';
import type { Client } from '../client/client.ts';
import type { ResourceType } from '../client/resource-type.ts';
import { resources } from '../client/resources.ts';
import { EventCorrelator } from './event-correlator.ts';
import { EventQueue } from './event-queue.ts';
import { referenceTo } from './object-reference.ts';

export type EventType = 'Normal' | 'Warning';

export interface EventRecorderOptions {
  readonly client: Client;
  readonly clock: TimerClock;
  readonly random: () => number;
  /** `source.component` and `reportingComponent`, e.g. `replicaset-controller`. */
  readonly component: string;
  readonly host?: string;
  readonly signal: AbortSignal;
  readonly onError?: (error: unknown) => void;
}

const RETRY_MS = 10_000;

/**
 * Writes events about objects, those of a namespace in order, and without holding up its caller (client-go's
 * tools/record over core/v1). Events that the server refuses are dropped; while it cannot be reached they are tried
 * again for two minutes.
 */
export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #correlator: EventCorrelator;
  readonly #queue: EventQueue;
  #lastNanos = 0n;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    this.#correlator = new EventCorrelator(options.clock);
    this.#queue = new EventQueue({
      ...options,
      waitMs: (failures) => (failures === 0 ? RETRY_MS * options.random() : RETRY_MS),
    });
  }

  /** About an object of a type; returns at once. */
  event(
    object: Pick<KubeObject, 'metadata'>,
    type: ResourceType<unknown>,
    what: { readonly type: EventType; readonly reason: string; readonly message: string },
  ): void {
    this.eventAbout(referenceTo(object, type), what);
  }

  /** About whatever a reference names; returns at once. */
  eventAbout(
    involvedObject: ObjectReference,
    { type, reason, message }: { readonly type: EventType; readonly reason: string; readonly message: string },
  ): void {
    const { clock, component, host = '' } = this.#options;
    const now = formatTime(clock.now());
    const namespace =
      involvedObject.namespace === undefined || involvedObject.namespace === '' ? 'default' : involvedObject.namespace;
    const event: Event = {
      metadata: { name: `${involvedObject.name ?? ''}.${this.#nanos().toString(16)}`, namespace },
      involvedObject,
      reason,
      message,
      source: { component, ...(host === '' ? {} : { host }) },
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
      type,
      reportingComponent: component,
      reportingInstance: host,
    };
    this.#queue.add(namespace, () => this.#store(event));
  }

  /** Unique within the recorder, as events are named by their time. */
  #nanos(): bigint {
    const nanos =
      BigInt(Math.floor(this.#options.clock.now())) * 1_000_000n + BigInt(Math.floor(this.#options.random() * 1e6));
    this.#lastNanos = nanos > this.#lastNanos ? nanos : this.#lastNanos + 1n;
    return this.#lastNanos;
  }

  async #store(incoming: Event): Promise<void> {
    const events = this.#options.client.resource(resources.events);
    const result = this.#correlator.correlate(incoming);
    if (result.kind === 'skip') return;
    const { event, key } = result;
    const { name = '', namespace } = event.metadata ?? {};
    if (result.kind === 'patch') {
      try {
        this.#correlator.observed(
          await events.patch({ name, namespace }, result.patch, { type: 'application/strategic-merge-patch+json' }),
          key,
        );
        return;
      } catch (error) {
        // It has expired meanwhile: made anew.
        if (!isNotFound(error)) throw error;
      }
    }
    this.#correlator.observed(await events.create(event), key);
  }
}
