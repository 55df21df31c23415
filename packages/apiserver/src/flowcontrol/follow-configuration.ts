import type { Timer, TimerClock } from '@kubechain/apimachinery';
import type { FlowSchema, PriorityLevelConfiguration } from '@kubechain/apimachinery/types/flowcontrol/v1';
import { ObjectInformer } from '../informers/object-informer.ts';
import type { ResourceStorages } from '../informers/resource-storage.ts';
import type { FlowControl } from './flow-control.ts';

const group = 'flowcontrol.apiserver.k8s.io';
const adjustIntervalMs = 10_000;

/** The stored configuration, followed and given to flow control; and the clockwork that lets levels borrow. */
export class FollowedConfiguration {
  readonly #schemas: ObjectInformer<FlowSchema>;
  readonly #levels: ObjectInformer<PriorityLevelConfiguration>;
  readonly #clock: TimerClock;
  readonly #target: () => FlowControl;
  readonly #onError: (error: unknown) => void;
  #scheduled: NodeJS.Immediate | undefined = undefined;
  #adjusting: Timer | undefined;

  /** @param target asked for at each change */
  constructor(
    storages: ResourceStorages,
    options: {
      readonly clock: TimerClock;
      readonly target: () => FlowControl;
      readonly onError: (error: unknown) => void;
    },
  ) {
    const { onError } = options;
    this.#clock = options.clock;
    this.#target = options.target;
    this.#onError = onError;
    this.#schemas = new ObjectInformer({
      ...storages.get(group, 'flowschemas'),
      transform: (record) => record.object() as FlowSchema,
      onError,
    });
    this.#levels = new ObjectInformer({
      ...storages.get(group, 'prioritylevelconfigurations'),
      transform: (record) => record.object() as PriorityLevelConfiguration,
      onError,
    });
    // Changes of status alone come here, too; taking the same configuration again changes nothing.
    this.#schemas.onChange(() => {
      this.changed();
    });
    this.#levels.onChange(() => {
      this.changed();
    });
  }

  start(): void {
    this.#schemas.start();
    this.#levels.start();
    this.#adjustInAWhile();
  }

  #adjustInAWhile(): void {
    this.#adjusting = this.#clock.setTimer(() => {
      this.#target().adjustLimits();
      this.#adjustInAWhile();
    }, adjustIntervalMs);
  }

  stop(): void {
    this.#adjusting?.cancel();
    clearImmediate(this.#scheduled);
    this.#schemas.stop();
    this.#levels.stop();
  }

  /** Resolves when the first complete configuration has been taken, or `signal` aborts. */
  async waitForSync(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#schemas.waitForSync(signal), this.#levels.waitForSync(signal)]);
  }

  /** Takes the configuration soon; many changes at a time are one. Until both kinds are complete, none is taken. */
  changed(): void {
    this.#scheduled ??= setImmediate(() => {
      this.#scheduled = undefined;
      if (!this.#schemas.hasSynced || !this.#levels.hasSynced) return;
      try {
        this.#target().configure({ schemas: this.#schemas.values(), levels: this.#levels.values() });
      } catch (error) {
        // The last good configuration stays in force.
        this.#onError(error);
      }
    });
  }
}
