import type { Controller, ControllerContext } from '../controller/controller.ts';
import { Scheduler } from './scheduler.ts';

/** kube-scheduler's own. */
const lease = 'kube-scheduler';

/**
 * The scheduler, in turns with a kube-scheduler: whoever holds the Lease `kube-system/kube-scheduler` works, the others
 * wait.
 */
export class ElectedScheduler implements Controller {
  readonly #context: ControllerContext;
  #scheduler: Scheduler;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#scheduler = new Scheduler(context);
  }

  async run(signal: AbortSignal): Promise<void> {
    const elector = this.#context.newElector?.(lease);
    if (elector === undefined) return this.#scheduler.run(signal);
    while (await elector.acquire(signal)) {
      const turn = new AbortController();
      const ended = AbortSignal.any([signal, turn.signal]);
      const held = elector.hold(ended);
      const work = this.#scheduler.run(ended);
      try {
        await Promise.race([held, work]);
      } finally {
        turn.abort();
        await held;
        // What was thrown is told by the race.
        await work.catch(() => undefined);
        if (!signal.aborted) this.#scheduler = new Scheduler(this.#context);
      }
    }
  }
}
