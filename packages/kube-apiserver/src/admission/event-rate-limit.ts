import { aggregateTexts, LRUMap, TokenBucket, tooManyRequestsError } from '@kubechain/apimachinery';
import type { Clock } from '@kubechain/apimachinery';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '@kubechain/apiserver/resources';
import type { Event } from '@kubechain/apimachinery/types/core/v1';

/** How many of its buckets a limit remembers unless it says so. */
const defaultCacheSize = 4096;

export type EventLimitType = 'Server' | 'Namespace' | 'User' | 'SourceAndObject';

/** One entry of `limits` in a Configuration of eventratelimit.admission.k8s.io. */
export interface EventLimit {
  readonly type: EventLimitType;
  /** Events a second. */
  readonly qps: number;
  /** So many at once. */
  readonly burst: number;
  /** Buckets that are remembered, those used last; 0: 4096. */
  readonly cacheSize?: number;
}

const keys: Readonly<Record<EventLimitType, (attributes: AdmissionAttributes) => string>> = {
  Server: () => '',
  Namespace: ({ namespace }) => namespace,
  User: ({ user }) => user.name,
  SourceAndObject: ({ object }) => {
    const { involvedObject, source } = (object ?? {}) as Partial<Event>;
    const { apiVersion, kind, name, namespace, uid } = involvedObject ?? {};
    return [source?.component, source?.host, kind, namespace, name, uid, apiVersion].join('');
  },
};

/** Refuses events beyond a rate (plugin/pkg/admission/eventratelimit, 1.36). */
export class EventRateLimit implements AdmissionPlugin {
  readonly name = 'EventRateLimit';
  readonly #enforcers: readonly LimitEnforcer[];

  constructor(limits: readonly EventLimit[], clock: Clock) {
    this.#enforcers = limits.map((limit) => new LimitEnforcer(limit, clock));
  }

  handles(operation: AdmissionOperation): boolean {
    return operation === 'CREATE' || operation === 'UPDATE';
  }

  validate(attributes: AdmissionAttributes): void {
    const { dryRun, kind } = attributes;
    if (kind.group !== '' || kind.kind !== 'Event' || dryRun) return;
    // Each takes its token, also where another refuses.
    const refusals = this.#enforcers.flatMap((enforcer) => enforcer.refusalOf(attributes) ?? []);
    if (refusals.length > 0) throw tooManyRequestsError(aggregateTexts(refusals));
  }
}

class LimitEnforcer {
  readonly #limit: EventLimit;
  readonly #clock: Clock;
  readonly #buckets: LRUMap<string, TokenBucket>;

  constructor(limit: EventLimit, clock: Clock) {
    const { cacheSize = 0 } = limit;
    this.#limit = limit;
    this.#clock = clock;
    this.#buckets = new LRUMap(cacheSize === 0 ? defaultCacheSize : cacheSize);
  }

  /** Takes a token, or says why there is none. */
  refusalOf(attributes: AdmissionAttributes): string | undefined {
    const { type } = this.#limit;
    const key = keys[type](attributes);
    return this.#bucketOf(key).tryAccept() ? undefined : `limit reached on type ${type} for key ${key}`;
  }

  #bucketOf(key: string): TokenBucket {
    const { burst, qps } = this.#limit;
    let bucket = this.#buckets.get(key);
    if (bucket === undefined) this.#buckets.set(key, (bucket = new TokenBucket(qps, burst, this.#clock)));
    return bucket;
  }
}
