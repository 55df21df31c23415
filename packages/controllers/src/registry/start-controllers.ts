import { sleep, Backoff, type TimerClock } from '@kubechain/apimachinery';
import type { Logger } from '@kubechain/apiserver/logging';
import type { Controller } from '../controller/controller.ts';
import type { InformerFactory } from '../informers/informer-factory.ts';
import { ControllerContexts, type StartControllersOptions } from './controller-contexts.ts';

/** Controllers that have been started. */
export interface RunningControllers {
  /** Names of those that run. */
  readonly names: readonly string[];
  readonly informers: InformerFactory;
  /** Resolves when all have ended, after `signal` aborted. Rejects with the first error of one that ended by itself. */
  readonly done: Promise<void>;
}

/**
 * Makes controllers, starts the informers that they asked for, then the controllers. Resolves at once after that;
 * controllers wait for their informers by themselves.
 */
export async function startControllers(options: StartControllersOptions): Promise<RunningControllers> {
  const contexts = new ControllerContexts(options);
  const { informers, clock, log, random } = contexts;
  const { signal } = options;
  const made: { readonly name: string; readonly controller: Controller }[] = [];
  for (const descriptor of options.controllers) {
    const controller = await descriptor.make(contexts.contextFor(descriptor));
    if (controller !== undefined) made.push({ name: descriptor.name, controller });
  }
  informers.start(signal);
  const done = Promise.all(
    made.map(({ name, controller }) => keepRunning(controller, { name, clock, random, signal, log })),
  );
  return { names: made.map(({ name }) => name), informers, done: done.then(() => undefined) };
}

/** A controller that breaks is begun again after a while; the others go on. */
async function keepRunning(
  controller: Controller,
  {
    name,
    clock,
    random,
    signal,
    log,
  }: {
    readonly name: string;
    readonly clock: TimerClock;
    readonly random: () => number;
    readonly signal: AbortSignal;
    readonly log: Logger;
  },
): Promise<void> {
  const backoff = new Backoff({ firstMs: 1000, longestMs: 60_000, jitter: { part: 1, random } });
  while (!signal.aborted) {
    try {
      await controller.run(signal);
      if (!signal.aborted) log.warning('a controller has ended', { controller: name });
      return;
    } catch (error) {
      if (signal.aborted) return;
      log.error('a controller failed and is begun again', error, { controller: name });
      await sleep(clock, backoff.next(), signal);
    }
  }
}
