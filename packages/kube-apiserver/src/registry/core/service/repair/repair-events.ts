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
  readonly onError: (error: unknown) => void;
}

/** The same event is not written again for so long: it is one series (client-go's tools/events, 1.36). */
const seriesMs = 360_000;

/** Writes warnings about services and their addresses as events, without holding up its caller. */
export class RepairEvents {
  readonly #options: RepairEventsOptions;
  readonly #writes: OwnWrites;
  /** When each was told last; at most what was told within `seriesMs`. */
  readonly #toldMs = new Map<string, number>();

  constructor(options: RepairEventsOptions) {
    this.#options = options;
    const { clock, events } = options;
    this.#writes = new OwnWrites(events, { scheme: events.spec.scheme, clock });
  }

  /** Returns at once; what cannot be written is told to `onError`. */
  tell({ action, note, reason, regarding }: RepairEvent): void {
    const { clock, controller, host, onError, random } = this.#options;
    const nowMs = clock.now();
    for (const [key, toldMs] of this.#toldMs) if (nowMs - toldMs > seriesMs) this.#toldMs.delete(key);
    const key = JSON.stringify([action, reason, regarding]);
    const again = this.#toldMs.has(key);
    this.#toldMs.set(key, nowMs);
    if (again) return;
    const nanos = BigInt(Math.floor(nowMs)) * 1_000_000n + BigInt(Math.floor(random() * 1e6));
    const namespace = (regarding.namespace ?? '') === '' ? 'default' : regarding.namespace!;
    const event: KubeObject = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${regarding.name ?? ''}.${nanos.toString(16)}`, namespace },
      involvedObject: regarding,
      reason,
      message: note,
      source: {},
      eventTime: formatMicroTime(nowMs),
      type: 'Warning',
      action,
      reportingComponent: controller,
      reportingInstance: `${controller}-${host}`,
    };
    const context = internalContext({ groupResource: { group: '', resource: 'events' }, namespace });
    this.#writes.create(context, event).catch(onError);
  }
}
