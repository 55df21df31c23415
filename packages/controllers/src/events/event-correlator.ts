import { formatTime, type Clock } from '@kubechain/apimachinery';
import type { Event } from '@kubechain/apimachinery/types/core/v1';
import { LRUMap, TokenBucket } from '@kubechain/apimachinery';

/** What becomes of an event: nothing, a new one, or one more of an event that is there. */
export type Correlated =
  | { readonly kind: 'skip' }
  | { readonly kind: 'create'; readonly event: Event; readonly key: string }
  | { readonly kind: 'patch'; readonly event: Event; readonly patch: object; readonly key: string };

/** Values of client-go's tools/record/events_cache.go. */
const CACHE_ENTRIES = 4096;
const AGGREGATE_EVENTS = 10;
const AGGREGATE_INTERVAL_MS = 600_000;
const SPAM_BURST = 25;
const SPAM_QPS = 1 / 300;

interface Observed {
  readonly count: number;
  readonly firstTimestamp: string;
  readonly name: string;
}

/**
 * Keeps the number of events small, as client-go's correlator: the same event counts up one object; ten events of a
 * reason about an object within ten minutes that differ by message become one; and a source may tell an object's story
 * in bursts of 25, then one event in five minutes.
 */
export class EventCorrelator {
  readonly #clock: Clock;
  readonly #spam = new LRUMap<string, TokenBucket>(CACHE_ENTRIES);
  readonly #aggregates = new LRUMap<string, { readonly messages: Set<string>; lastMs: number }>(CACHE_ENTRIES);
  readonly #observed = new LRUMap<string, Observed>(CACHE_ENTRIES);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  correlate(incoming: Event): Correlated {
    const { event, key } = this.#aggregate(incoming);
    const known = this.#observed.get(key);
    const counted: Event =
      known === undefined
        ? event
        : {
            ...event,
            metadata: { ...event.metadata, name: known.name },
            firstTimestamp: known.firstTimestamp,
            count: known.count + 1,
          };
    this.observed(counted, key);
    if (!this.#allowed(counted)) return { kind: 'skip' };
    if (known === undefined) return { kind: 'create', event: counted, key };
    const { count, lastTimestamp, message } = counted;
    return { kind: 'patch', event: counted, patch: { count, lastTimestamp, message }, key };
  }

  /** What the server has stored under a key. */
  observed(event: Event, key: string): void {
    this.#observed.set(key, {
      count: event.count ?? 1,
      firstTimestamp: event.firstTimestamp ?? '',
      name: event.metadata?.name ?? '',
    });
  }

  #aggregate(event: Event): { readonly event: Event; readonly key: string } {
    const nowMs = this.#clock.now();
    const group = [...about(event), event.type, event.reason, event.reportingComponent, event.reportingInstance].join(
      '',
    );
    let record = this.#aggregates.get(group);
    if (record === undefined || nowMs - record.lastMs > AGGREGATE_INTERVAL_MS) {
      record = { messages: new Set(), lastMs: nowMs };
      this.#aggregates.set(group, record);
    }
    record.messages.add(event.message ?? '');
    record.lastMs = nowMs;
    if (record.messages.size < AGGREGATE_EVENTS)
      return {
        event,
        key: [...about(event), event.involvedObject.fieldPath, event.type, event.reason, event.message].join(''),
      };
    for (const message of record.messages) {
      record.messages.delete(message);
      break;
    }
    const now = formatTime(nowMs);
    return {
      event: {
        ...event,
        message: `(combined from similar events): ${event.message ?? ''}`,
        firstTimestamp: now,
        lastTimestamp: now,
        count: 1,
      },
      key: group,
    };
  }

  #allowed(event: Event): boolean {
    const key = [...about(event), event.type].join('');
    let bucket = this.#spam.get(key);
    if (bucket === undefined) this.#spam.set(key, (bucket = new TokenBucket(SPAM_QPS, SPAM_BURST, this.#clock)));
    return bucket.tryAccept();
  }
}

function about({ source, involvedObject: object }: Event): (string | undefined)[] {
  return [source?.component, source?.host, object.kind, object.namespace, object.name, object.uid, object.apiVersion];
}
