import { controllerOf, type LabelSelector } from '@kubechain/apimachinery';
import { inTurns } from '../clock/in-turns.ts';
import type { ControllerContext } from '../controller/controller.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import type { WithMetadata } from '../informers/with-metadata.ts';
import { haveSameLabels } from '../controller/same-labels.ts';
import { SelectingObjects } from './selecting-objects.ts';

export interface AdoptersOptions<T extends object> {
  /** Those that adopt. */
  readonly owners: SharedInformer<T>;
  /** Undefined for a selector that cannot be used. */
  readonly selectorOf: (owner: T) => LabelSelector | undefined;
  /** Whether one with an empty selector adopts all. Default: nothing. */
  readonly emptySelectsAll?: boolean;
  /** Adds a key to the controller's queue. */
  readonly queue: (key: string) => void;
}

/**
 * Has a controller look at those that may adopt what nobody controls, when it comes, or when its labels or its
 * controller change (the handlers of upstream's controllers for orphans, 1.36). What has no labels nobody adopts, nor
 * what somebody controls.
 */
export class Adopters<T extends WithMetadata & object> {
  readonly #selecting: SelectingObjects<T>;

  constructor({ clock, log }: ControllerContext, options: AdoptersOptions<T>) {
    const { emptySelectsAll = false, owners, queue, selectorOf } = options;
    this.#selecting = new SelectingObjects<T>({
      clock,
      objects: owners,
      selectorOf: (owner) => {
        const selector = selectorOf(owner);
        return selector?.empty === true && !emptySelectsAll ? undefined : selector;
      },
      found: (keys) => inTurns(keys, queue),
      onError: (error) => log.error('cannot tell who may adopt', error, { owners: owners.name }),
    });
  }

  /** Something is there that may be an orphan. */
  added({ metadata }: WithMetadata): void {
    if (controllerOf(metadata) !== undefined) return;
    if (Object.keys(metadata?.labels ?? {}).length > 0) this.#selecting.ask(metadata!);
  }

  /** It is another than before, when it may have been somebody's. */
  updated(object: WithMetadata, before: WithMetadata): void {
    if (!haveSameLabels(object, before) || controllerOf(before.metadata) !== undefined) this.added(object);
  }

  /** Until `signal` aborts. */
  run(signal: AbortSignal): Promise<void> {
    return this.#selecting.run(signal);
  }
}
