import { isConflict, type KubeObject } from '@kubechain/apimachinery';
import { runWorkers, type WorkQueue } from '@kubechain/shared-storage/work-queue';
import type { ResourceType } from '../client/resource-type.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import { namespacedQueue } from '../controller/namespaces-in-turns.ts';
import { keyOf } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';

/** What is protected, and how. */
export interface ProtectionOptions<T extends KubeObject> {
  readonly type: ResourceType<T>;
  readonly finalizer: string;
  /** Name of its work queue in metrics. */
  readonly queue: string;
  /** Must be certain of a false: what is not used goes. */
  readonly isUsed: (object: T) => boolean | Promise<boolean>;
  /** Further informers that must have synced. */
  readonly informers?: readonly Pick<SharedInformer, 'waitForSync'>[];
}

/** Keeps objects that somebody uses from going: by a finalizer that it takes away when nobody does any more. */
export class FinalizerProtection<T extends KubeObject> implements Controller {
  readonly #context: ControllerContext;
  readonly #options: ProtectionOptions<T>;
  readonly #objects: SharedInformer<T>;
  readonly #queue: WorkQueue;

  constructor(context: ControllerContext, options: ProtectionOptions<T>) {
    this.#context = context;
    this.#options = options;
    this.#queue = namespacedQueue(context, options.queue);
    this.#objects = context.informers.informer(options.type);
    const changed = (object: T): void => {
      if (this.#wants(object) !== 'nothing') this.#queue.add(keyOf(object));
    };
    this.#objects.addHandlers({ onAdd: changed, onUpdate: changed });
  }

  /** Looks at an object again, since who used it may be gone. */
  check(key: string): void {
    this.#queue.add(key);
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(
      [this.#objects, ...(this.#options.informers ?? [])].map((informer) => informer.waitForSync(signal)),
    );
    await runWorkers({
      queue: this.#queue,
      workers: 1,
      signal,
      sync: (key) => this.#sync(key),
      onError: (error, key) => {
        // Somebody else was quicker: it is tried again.
        if (!isConflict(error)) this.#context.log.error('cannot protect', error, { key });
      },
    });
  }

  #wants({ metadata }: T): 'removal' | 'addition' | 'nothing' {
    const has = metadata?.finalizers?.includes(this.#options.finalizer) === true;
    if (metadata?.deletionTimestamp === undefined) return has ? 'nothing' : 'addition';
    return has ? 'removal' : 'nothing';
  }

  async #sync(key: string): Promise<void> {
    const object = this.#objects.get(key);
    if (object === undefined) return;
    const { finalizer, isUsed, type } = this.#options;
    const { finalizers = [] } = object.metadata ?? {};
    const write = async (next: readonly string[]): Promise<void> => {
      await this.#context.client
        .resource(type)
        .update({ ...object, metadata: { ...object.metadata, finalizers: [...next] } });
    };
    switch (this.#wants(object)) {
      case 'addition':
        return write([...finalizers, finalizer]);
      case 'removal':
        if (!(await isUsed(object))) await write(finalizers.filter((each) => each !== finalizer));
        return;
      default:
    }
  }
}
