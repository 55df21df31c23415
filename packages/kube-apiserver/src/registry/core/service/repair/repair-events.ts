import { formatMicroTime, type Clock, type KubeObject } from '@kubechain/apimachinery';
import type { ObjectReference } from '@kubechain/apimachinery/types/core/v1';
import { OwnWrites, internalContext, type Store } from '@kubechain/apiserver/resources';

/** What a repair tells of an object. */
export interface RepairEvent {
  readonly regarding: ObjectReference;
  readonly reason: string;
  /** What was being done. */
  readonly action: string;
  readonly note: string;
}

export interface RepairEventsOptions {
  readonly events: Store;
  readonly clock: Clock;
  /** Where random digits of names come from, in [0, 1). */
  readonly random: () => number;
  /** Who tells. */
  readonly controller: string;
  readonly host: string;
  /** Aborts when nothing is to be written any more. */
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
  /** So many wait that more are dropped; called once until there is room for all again. */
  readonly onFull: () => void;
}

interface Told {
  readonly event: RepairEvent;
  readonly atMs: number;
  /** The same, and random digits: events are named by it. */
  readonly nanos: bigint;
}

/** The same event is not written again for so long: it is one series (client-go's tools/events, 1.36). */
const seriesMs = 360_000;
/** Between two looks for what is over: each goes through all that is remembered. */
const sweepMs = 60_000;
/**
 * Events that wait to be written, of some hundred bytes each. All services of a large cluster may have the same fault,
 * and are told of in one turn of the event loop (client-go's queue of 1,000 is emptied meanwhile).
 */
const mostWaiting = 10_000;

/**
 * Writes warnings about services and their addresses as events, one after the other, without holding up its caller.
 * What is dropped, since too many wait, is written when it is told again.
 */
export class RepairEvents {
  readonly #options: RepairEventsOptions;
  readonly #writes: OwnWrites;
  /** When each was told last; at most what was told within `seriesMs` and `sweepMs`. */
  readonly #toldMs = new Map<string, number>();
  readonly #waiting: Told[] = [];
  #sweptMs = 0;
  #writing = false;
  #full = false;

  constructor(options: RepairEventsOptions) {
    this.#options = options;
    const { clock, events } = options;
    this.#writes = new OwnWrites(events, { scheme: events.spec.scheme, clock });
  }

  /** Returns at once; what cannot be written is told to `onError`. */
  tell(event: RepairEvent): void {
    const atMs = this.#options.clock.now();
    this.#sweep(atMs);
    const key = JSON.stringify([event.action, event.reason, event.regarding]);
    const beforeMs = this.#toldMs.get(key);
    const again = beforeMs !== undefined && atMs - beforeMs <= seriesMs;
    if (!again && !this.#write(event, atMs)) return;
    this.#toldMs.set(key, atMs);
  }

  #sweep(nowMs: number): void {
    if (nowMs - this.#sweptMs < sweepMs) return;
    this.#sweptMs = nowMs;
    for (const [key, toldMs] of this.#toldMs) if (nowMs - toldMs > seriesMs) this.#toldMs.delete(key);
  }

  /** False: it is dropped. */
  #write(event: RepairEvent, atMs: number): boolean {
    const { onFull, random } = this.#options;
    if (this.#waiting.length >= mostWaiting) {
      if (!this.#full) onFull();
      this.#full = true;
      return false;
    }
    const nanos = BigInt(Math.floor(atMs)) * 1_000_000n + BigInt(Math.floor(random() * 1e6));
    this.#waiting.push({ event, atMs, nanos });
    if (!this.#writing) void this.#writeAll();
    return true;
  }

  async #writeAll(): Promise<void> {
    const { onError, signal } = this.#options;
    this.#writing = true;
    for (let told = this.#waiting.shift(); told !== undefined && !signal.aborted; told = this.#waiting.shift())
      await this.#create(told).catch(onError);
    this.#writing = false;
    this.#full = false;
  }

  async #create({ atMs, nanos, event: { action, note, reason, regarding } }: Told): Promise<void> {
    const { controller, host } = this.#options;
    const namespace = (regarding.namespace ?? '') === '' ? 'default' : regarding.namespace!;
    const event: KubeObject = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${regarding.name ?? ''}.${nanos.toString(16)}`, namespace },
      involvedObject: regarding,
      reason,
      message: note,
      source: {},
      eventTime: formatMicroTime(atMs),
      type: 'Warning',
      action,
      reportingComponent: controller,
      reportingInstance: `${controller}-${host}`,
    };
    await this.#writes.create(internalContext({ groupResource: { group: '', resource: 'events' }, namespace }), event);
  }
}
