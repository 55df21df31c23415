import type { TimerClock } from '@kubechain/apimachinery';
import type { Node } from '@kubechain/apimachinery/types/core/v1';
import { TaintQueue } from './taint-queue.ts';

/** How well a zone is: nothing known yet, well, partly or wholly disrupted. */
export type ZoneState = 'initial' | 'normal' | 'partial' | 'full';

/** How many nodes a second lose their pods, and when a zone is in trouble. */
export interface EvictionRates {
  readonly perSecond: number;
  /** In a large zone in trouble; small ones lose none. */
  readonly secondaryPerSecond: number;
  readonly largeZone: number;
  /** Part of a zone's nodes. */
  readonly unhealthyPart: number;
}

/** Below so many nodes that are not ready, no zone is in trouble. */
const unhealthyAtLeast = 3;

/** Region and zone of a node, as one key; empty where it has neither. */
export function zoneOf({ metadata }: Node): string {
  const labels = metadata?.labels ?? {};
  const zone = labels['failure-domain.beta.kubernetes.io/zone'] ?? labels['topology.kubernetes.io/zone'] ?? '';
  const region = labels['failure-domain.beta.kubernetes.io/region'] ?? labels['topology.kubernetes.io/region'] ?? '';
  return region === '' && zone === '' ? '' : `${region}:\0:${zone}`;
}

/** The state of a zone by the Ready conditions of its nodes (ComputeZoneState, 1.36). */
export function zoneState(ready: readonly boolean[], unhealthyPart: number): ZoneState {
  const unready = ready.filter((is) => !is).length;
  if (unready > 0 && unready === ready.length) return 'full';
  return unready >= unhealthyAtLeast && unready / ready.length >= unhealthyPart ? 'partial' : 'normal';
}

/** What a round over all zones asks for besides new rates. */
export type DisruptionStep = 'none' | 'stopped' | 'resumed';

/**
 * Zones with their states, and the nodes that wait to be tainted, each zone at a rate of its own (handleDisruption,
 * 1.36).
 */
export class Zones {
  readonly #rates: EvictionRates;
  readonly #clock: TimerClock;
  readonly #states = new Map<string, ZoneState>();
  readonly #queues = new Map<string, TaintQueue>();

  constructor(rates: EvictionRates, clock: TimerClock) {
    this.#rates = rates;
    this.#clock = clock;
  }

  /** Those of all zones that there have been. */
  get queues(): Iterable<TaintQueue> {
    return this.#queues.values();
  }

  /** The queue of a node's zone. */
  queueOf(node: Node): TaintQueue {
    const zone = zoneOf(node);
    let queue = this.#queues.get(zone);
    if (queue === undefined) {
      this.#queues.set(zone, (queue = new TaintQueue(this.#rates.perSecond, this.#clock)));
      this.#states.set(zone, 'initial');
    }
    return queue;
  }

  /**
   * Sets rates by what was found in all zones. `stopped`: no node is ready any more, so that it is rather the watcher
   * who is cut off, and nothing is evicted; `resumed`: some are ready again.
   */
  update(readyByZone: ReadonlyMap<string, readonly boolean[]>): DisruptionStep {
    const next = new Map<string, ZoneState>();
    for (const [zone, ready] of readyByZone) {
      next.set(zone, zoneState(ready, this.#rates.unhealthyPart));
      if (!this.#states.has(zone)) this.#states.set(zone, 'initial');
    }
    for (const zone of this.#states.keys()) if (!readyByZone.has(zone)) this.#states.delete(zone);
    const allAre = [...next.values()].every((state) => state === 'full');
    const allWere = [...this.#states.values()].every((state) => state === 'full');
    if (allAre && allWere) return 'none';
    for (const zone of this.#states.keys()) {
      const state = next.get(zone) ?? 'normal';
      if (allAre) this.#queues.get(zone)?.setRate(0);
      else if (allWere || this.#states.get(zone) !== state)
        this.#setRate(zone, state, readyByZone.get(zone)?.length ?? 0);
      this.#states.set(zone, state);
    }
    return allAre ? 'stopped' : allWere ? 'resumed' : 'none';
  }

  #setRate(zone: string, state: ZoneState, size: number): void {
    const { largeZone, perSecond, secondaryPerSecond } = this.#rates;
    const partial = size > largeZone ? secondaryPerSecond : 0;
    this.#queues.get(zone)?.setRate(state === 'partial' ? partial : perSecond);
  }
}
