import { backoffMs, type Timer, type TimerClock } from '@kubechain/apimachinery';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { keyOf } from '../informers/object-key.ts';
import type { Cause } from './cause.ts';
import { KeyedHeap } from './keyed-heap.ts';
import { priorityOf } from './priority.ts';

/** The reference's podInitialBackoffSeconds, podMaxBackoffSeconds and podMaxInUnschedulablePodsDuration. */
const backoff = { firstMs: 1_000, longestMs: 10_000 };
const longestWaitMs = 300_000;

interface Active {
  readonly pod: Pod;
  readonly order: number;
}

interface Waiting {
  readonly pod: Pod;
  readonly attempts: number;
  readonly sinceMs: number;
  readonly causes: ReadonlySet<Cause>;
}

/**
 * Pods without a node (kube-scheduler's queue, 1.36): the most important one is next, the oldest among equals. One that
 * fits nowhere waits until something happens that may change that, and then for the rest of its back-off (1 s, doubled
 * to 10 s).
 *
 *     add ─► active ─next─► (tried) ─refused─► waiting ─happened, or 5 minutes─► back-off ─► active
 */
export class SchedulingQueue {
  readonly #clock: TimerClock;
  readonly #onReady: () => void;
  readonly #active = new KeyedHeap<Active>(comesBefore);
  readonly #waiting = new Map<string, Waiting>();
  /** What some pod may wait for; more at most, so that most happenings cost nothing. */
  readonly #waitingFor = new Set<Cause>();
  /** By when the back-off ends. */
  readonly #backingOff = new KeyedHeap<{ readonly endMs: number; readonly pod: Pod }>((a, b) => a.endMs < b.endMs);
  /** Of pods that are not placed yet: how often they were tried, and the order in which they came. */
  readonly #known = new Map<string, { attempts: number; readonly order: number }>();
  #order = 0;
  #timer: { readonly dueMs: number; readonly timer: Timer } | undefined;
  /** Counts happenings, so that one during an attempt is not missed. */
  #happenings = 0;
  #attemptBegan = 0;

  /** `onReady` is called when there may be a next pod. */
  constructor(clock: TimerClock, onReady: () => void) {
    this.#clock = clock;
    this.#onReady = onReady;
  }

  /** Of pods that have no node, by where they are. */
  get sizes(): { readonly active: number; readonly backingOff: number; readonly waiting: number } {
    return { active: this.#active.size, backingOff: this.#backingOff.size, waiting: this.#waiting.size };
  }

  /** A pod that is new, or whose spec or labels have changed. */
  add(pod: Pod): void {
    const key = keyOf(pod);
    this.#waiting.delete(key);
    this.#backingOff.delete(key);
    this.#activate(key, pod);
    this.#onReady();
  }

  /** A pod whose status has changed: it stays where it is. */
  refresh(pod: Pod): void {
    const key = keyOf(pod);
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) this.#waiting.set(key, { ...waiting, pod });
    if (this.#active.has(key)) this.#activate(key, pod);
  }

  has(key: string): boolean {
    return this.#active.has(key) || this.#waiting.has(key) || this.#backingOff.has(key);
  }

  delete(key: string): void {
    this.#active.delete(key);
    this.#waiting.delete(key);
    this.#backingOff.delete(key);
    this.#known.delete(key);
    this.#setTimer();
  }

  /** Takes the most important pod. */
  next(): Pod | undefined {
    const first = this.#active.first();
    if (first === undefined) return undefined;
    this.#active.delete(first.key);
    this.#knownOf(first.key).attempts++;
    this.#attemptBegan = this.#happenings;
    return first.value.pod;
  }

  /** A pod fits nowhere, by these causes; none: it is not the nodes' fault, so only the back-off counts. */
  refused(pod: Pod, causes: ReadonlySet<Cause>): void {
    const key = keyOf(pod);
    const waiting = {
      pod,
      causes,
      attempts: this.#knownOf(key).attempts,
      sinceMs: this.#clock.now(),
    };
    if (causes.size === 0 || this.#attemptBegan !== this.#happenings) this.#backOff(key, waiting);
    else {
      this.#waiting.set(key, waiting);
      for (const cause of causes) this.#waitingFor.add(cause);
    }
    this.#setTimer();
  }

  /** Something happened that may help pods that were refused by these causes. */
  happened(causes: ReadonlySet<Cause>): void {
    this.#happenings++;
    if (causes.isDisjointFrom(this.#waitingFor)) return;
    this.#waitingFor.clear();
    for (const [key, waiting] of this.#waiting) {
      if (waiting.causes.isDisjointFrom(causes)) {
        for (const cause of waiting.causes) this.#waitingFor.add(cause);
        continue;
      }
      this.#waiting.delete(key);
      this.#backOff(key, waiting);
    }
    this.#setTimer();
  }

  /** Pods on their way will not come back. */
  stop(): void {
    this.#timer?.timer.cancel();
    this.#timer = undefined;
  }

  #backOff(key: string, { attempts, pod, sinceMs }: Waiting): void {
    const endMs = sinceMs + backoffMs(attempts - 1, backoff);
    if (endMs > this.#clock.now()) {
      this.#backingOff.set(key, { endMs, pod });
      return;
    }
    this.#activate(key, pod);
    this.#onReady();
  }

  #activate(key: string, pod: Pod): void {
    this.#active.set(key, { pod, order: this.#knownOf(key).order });
  }

  #knownOf(key: string): { attempts: number; readonly order: number } {
    let known = this.#known.get(key);
    if (known === undefined) this.#known.set(key, (known = { attempts: 0, order: this.#order++ }));
    return known;
  }

  /** One timer for all: for the earliest end of a back-off, or of a wait. */
  #setTimer(): void {
    // Waiting pods are in the order in which they were refused.
    const [oldest] = this.#waiting.values();
    const dueMs = Math.min(
      this.#backingOff.first()?.value.endMs ?? Number.POSITIVE_INFINITY,
      oldest === undefined ? Number.POSITIVE_INFINITY : oldest.sinceMs + longestWaitMs,
    );
    if (this.#timer?.dueMs === dueMs) return;
    this.#timer?.timer.cancel();
    this.#timer = undefined;
    if (dueMs === Number.POSITIVE_INFINITY) return;
    const timer = this.#clock.setTimer(() => this.#due(), Math.max(0, dueMs - this.#clock.now()));
    this.#timer = { dueMs, timer };
  }

  #due(): void {
    this.#timer = undefined;
    const nowMs = this.#clock.now();
    for (let first = this.#backingOff.first(); first !== undefined; first = this.#backingOff.first()) {
      if (first.value.endMs > nowMs) break;
      this.#backingOff.delete(first.key);
      this.#activate(first.key, first.value.pod);
    }
    for (const [key, { pod, sinceMs }] of this.#waiting) {
      if (sinceMs + longestWaitMs > nowMs) break;
      this.#waiting.delete(key);
      this.#activate(key, pod);
    }
    this.#setTimer();
    if (this.#active.size > 0) this.#onReady();
  }
}

function comesBefore(a: Active, b: Active): boolean {
  const byPriority = priorityOf(a.pod) - priorityOf(b.pod);
  return byPriority === 0 ? a.order < b.order : byPriority > 0;
}
