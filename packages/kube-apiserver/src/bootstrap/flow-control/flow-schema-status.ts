import { backoffMs, formatTime, isNotFound } from '@kubechain/apimachinery';
import type { Timer, TimerClock } from '@kubechain/apimachinery';
import type { FlowSchema, PriorityLevelConfiguration } from '@kubechain/apimachinery/types/flowcontrol/v1';
import {
  ObjectInformer,
  OwnWrites,
  createStatusStorage,
  internalContext,
  isRecord,
  queuingOf,
} from '@kubechain/apiserver/resources';
import { flowSchemaStatusStrategy } from '../../registry/flowcontrol/flowschema/strategy.ts';
import { danglingCondition } from './dangling-condition.ts';
import type { FlowControlStores } from './ensure-configuration.ts';

const manager = 'api-priority-and-fairness-config-consumer-v1';
const minuteMs = 60_000;
const retryPauses = { firstMs: 200, longestMs: 5 * minuteMs };
/** Writes of one schema's status in a minute; servers that disagree must not write for ever. */
const writesPerMinute = 6;

export interface FlowSchemaStatusOptions extends FlowControlStores {
  readonly clock: TimerClock;
  /** 0 to below 1; spreads the delays of servers that disagree. */
  readonly random: () => number;
  readonly onError: (error: unknown) => void;
}

/**
 * Keeps the Dangling condition of all flow schemas true. It is part of the consumer of the configuration upstream
 * (util/flowcontrol/apf_controller.go); here the server that stores the kinds does it, whichever process limits
 * requests.
 */
export class FlowSchemaStatusKeeper {
  readonly #options: FlowSchemaStatusOptions;
  readonly #schemas: ObjectInformer<FlowSchema>;
  readonly #levels: ObjectInformer<string>;
  readonly #status: OwnWrites;
  /** Times of recent writes by schema, and the revision that the last one made: what is older is not looked at. */
  readonly #writes = new Map<string, { readonly times: readonly number[]; readonly revision: number }>();
  readonly #stop = new AbortController();
  #timer: Timer | undefined = undefined;
  #running = false;
  #again = false;
  #failures = 0;

  constructor(options: FlowSchemaStatusOptions) {
    const { schemas, levels, clock, onError } = options;
    this.#options = options;
    this.#schemas = new ObjectInformer({
      storage: schemas.storage,
      keyRoot: schemas.keyRoot,
      informerEnds: schemas.informerEnds,
      transform: (record) => record.object() as FlowSchema,
      onError,
    });
    this.#levels = new ObjectInformer({
      storage: levels.storage,
      keyRoot: levels.keyRoot,
      informerEnds: levels.informerEnds,
      onError,
      // A level that cannot be used is as good as none.
      transform: (record) =>
        queuingOf(record.object() as PriorityLevelConfiguration) === undefined ? undefined : record.attributes.name,
    });
    this.#status = new OwnWrites(createStatusStorage(schemas, flowSchemaStatusStrategy), {
      scheme: schemas.spec.scheme,
      clock,
      manager,
      subresource: 'status',
    });
    this.#schemas.onChange(({ kind, key }) => {
      if (kind === 'delete') this.#writes.delete(key);
      this.#schedule(0);
    });
    this.#levels.onChange(() => {
      this.#schedule(0);
    });
  }

  start(): void {
    this.#schemas.start();
    this.#levels.start();
  }

  stop(): void {
    this.#stop.abort();
    this.#timer?.cancel();
    this.#schemas.stop();
    this.#levels.stop();
  }

  #schedule(delayMs: number): void {
    if (this.#stop.signal.aborted || (this.#timer !== undefined && delayMs > 0)) return;
    this.#timer?.cancel();
    this.#timer = this.#options.clock.setTimer(() => {
      this.#timer = undefined;
      void this.#run();
    }, delayMs);
  }

  async #run(): Promise<void> {
    if (this.#running) {
      this.#again = true;
      return;
    }
    // The informer that is there last calls again.
    if (!this.#schemas.hasSynced || !this.#levels.hasSynced) return;
    this.#running = true;
    const results = await Promise.all([...this.#schemas.values()].map((schema) => this.#update(schema)));
    this.#running = false;
    this.#failures = results.includes('failed') ? this.#failures + 1 : 0;
    if (this.#again) {
      this.#again = false;
      this.#schedule(0);
    } else if (this.#failures > 0) {
      this.#schedule(backoffMs(this.#failures - 1, retryPauses));
    } else if (results.includes('delayed')) {
      this.#schedule(30_000 + this.#options.random() * 45_000);
    }
  }

  async #update(schema: FlowSchema): Promise<'good' | 'delayed' | 'failed'> {
    const condition = danglingCondition(schema, (name) => this.#levels.get(name) !== undefined);
    if (condition === undefined) return 'good';
    const name = schema.metadata?.name ?? '';
    const now = this.#options.clock.now();
    const last = this.#writes.get(name);
    if (last !== undefined && Number(schema.metadata?.resourceVersion) < last.revision) return 'good';
    const times = (last?.times ?? []).filter((time) => now - time < minuteMs);
    if (times.length >= writesPerMinute) return 'delayed';
    const context = internalContext({
      groupResource: { group: 'flowcontrol.apiserver.k8s.io', resource: 'flowschemas' },
      signal: this.#stop.signal,
    });
    try {
      const result = await this.#status.apply(context, {
        apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
        kind: 'FlowSchema',
        metadata: { name },
        status: { conditions: [{ ...condition, lastTransitionTime: formatTime(now) }] },
      });
      this.#writes.set(name, { times: [...times, now], revision: isRecord(result) ? result.revision : 0 });
      return 'good';
    } catch (error) {
      if (this.#stop.signal.aborted || isNotFound(error)) return 'good';
      this.#options.onError(error);
      return 'failed';
    }
  }
}
