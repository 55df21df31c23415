import { formatMicroTime, isNotFound, type KubeObject } from '@kubechain/apimachinery';
import type { ObjectReference } from '@kubechain/apimachinery/types/core/v1';
import type { Event } from '@kubechain/apimachinery/types/events/v1';
import type { ResourceType } from '../client/resource-type.ts';
import { resources } from '../client/resources.ts';
import { EventQueue } from './event-queue.ts';
import type { EventRecorderOptions, EventType } from './event-recorder.ts';
import { referenceTo } from './object-reference.ts';

/** What is told in the new kind of events. */
export interface Occurrence {
  readonly type: EventType;
  readonly reason: string;
  /** What was being done. */
  readonly action: string;
  readonly message: string;
}

interface Kept {
  readonly event: Event;
  count: number;
  lastMs: number;
}

/** Values of client-go's tools/events: a series is over after six minutes, and told again every half an hour. */
const finishMs = 360_000;
const refreshMs = 1_800_000;
/** Between two looks for what is over: each goes through all that is kept. */
const sweepMs = 60_000;
const retryMs = 10_000;

/**
 * Writes events of events.k8s.io/v1, those of a namespace in order, and without holding up its caller (client-go's
 * tools/events, 1.36): what is told of the same state of an object again becomes a series of the first event.
 */
export class EventSeriesRecorder {
  readonly #options: EventRecorderOptions;
  readonly #kept = new Map<string, Kept>();
  readonly #queue: EventQueue;
  #lastNanos = 0n;
  #refreshedMs: number;
  #sweptMs: number;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    this.#queue = new EventQueue({ ...options, waitMs: () => retryMs * (1 + options.random() / 4) });
    this.#refreshedMs = options.clock.now();
    this.#sweptMs = this.#refreshedMs;
  }

  /** About an object of a type; returns at once. */
  event(object: Pick<KubeObject, 'metadata'>, type: ResourceType<unknown>, what: Occurrence): void {
    const nowMs = this.#options.clock.now();
    this.#finish(nowMs);
    const regarding = referenceTo(object, type);
    const key = JSON.stringify([what.type, what.action, what.reason, regarding]);
    const known = this.#kept.get(key);
    if (known !== undefined) {
      known.count++;
      known.lastMs = nowMs;
      // Further ones are told with the series' end, or every half an hour.
      if (known.count === 2) this.#write(known.event, () => this.#tellSeries(known));
      return;
    }
    const event = this.#eventOf(what, nowMs, regarding);
    this.#kept.set(key, { event, count: 1, lastMs: nowMs });
    this.#write(event, () => this.#create(event));
  }

  #eventOf({ action, message, reason, type }: Occurrence, nowMs: number, regarding: ObjectReference): Event {
    const { component, host = '' } = this.#options;
    return {
      metadata: {
        name: `${regarding.name ?? ''}.${this.#nanos(nowMs).toString(16)}`,
        namespace: (regarding.namespace ?? '') === '' ? 'default' : regarding.namespace!,
      },
      eventTime: formatMicroTime(nowMs),
      reportingController: component,
      reportingInstance: `${component}-${host}`,
      action,
      reason,
      regarding,
      note: message,
      type,
    };
  }

  /** Unique within the recorder, as events are named by their time. */
  #nanos(nowMs: number): bigint {
    const nanos = BigInt(Math.floor(nowMs)) * 1_000_000n + BigInt(Math.floor(this.#options.random() * 1e6));
    this.#lastNanos = nanos > this.#lastNanos ? nanos : this.#lastNanos + 1n;
    return this.#lastNanos;
  }

  /** Forgets what is over. Looked at when something is told: what is forgotten later costs a few bytes. */
  #finish(nowMs: number): void {
    if (nowMs - this.#sweptMs < sweepMs) return;
    this.#sweptMs = nowMs;
    const refresh = nowMs - this.#refreshedMs >= refreshMs;
    if (refresh) this.#refreshedMs = nowMs;
    for (const [key, kept] of this.#kept) {
      const isOver = nowMs - kept.lastMs > finishMs;
      if (isOver) this.#kept.delete(key);
      if (kept.count > 2 && (isOver || refresh)) this.#write(kept.event, () => this.#tellSeries(kept));
    }
  }

  #write({ metadata }: Event, write: () => Promise<void>): void {
    this.#queue.add(metadata?.namespace ?? '', write);
  }

  async #create(event: Event): Promise<void> {
    await this.#options.client.resource(resources.eventsV1).create(event);
  }

  async #tellSeries({ count, event, lastMs }: Kept): Promise<void> {
    const series = { count, lastObservedTime: formatMicroTime(lastMs) };
    const { name = '', namespace } = event.metadata ?? {};
    try {
      await this.#options.client
        .resource(resources.eventsV1)
        .patch({ name, namespace }, { series }, { type: 'application/strategic-merge-patch+json' });
    } catch (error) {
      // It has expired meanwhile: made anew.
      if (!isNotFound(error)) throw error;
      await this.#create({ ...event, series });
    }
  }
}
