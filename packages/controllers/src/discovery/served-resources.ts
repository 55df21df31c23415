import { messageOf, sleep, type GroupResource, type TimerClock } from '@kubechain/apimachinery';
import type { Logger } from '@kubechain/apiserver/logging';
import type { Discovered, DiscoveredResource, Discovery } from './discovery.ts';

const retryMs = 5_000;

export interface ServedResourcesOptions {
  readonly discovery: Discovery;
  readonly clock: TimerClock;
  readonly log: Logger;
}

/** What the servers serve, asked once for all controllers that work only where a resource is there. */
export class ServedResources {
  readonly #options: ServedResourcesOptions;
  #asked: Promise<Discovered> | undefined;

  constructor(options: ServedResourcesOptions) {
    this.#options = options;
  }

  /**
   * A resource in the version that its servers prefer; undefined: it is not served, or `signal` has aborted. Asks again
   * until somebody answers.
   */
  async find(wanted: GroupResource, signal: AbortSignal): Promise<DiscoveredResource | undefined> {
    const { clock, discovery, log } = this.#options;
    while (!signal.aborted) {
      const asked = (this.#asked ??= discovery.preferredResources());
      try {
        const { resources } = await asked;
        return resources.find(({ group, resource }) => group === wanted.group && resource === wanted.resource);
      } catch (error) {
        if (this.#asked === asked) this.#asked = undefined;
        log.info('cannot ask what is served', { err: messageOf(error) }, 2);
        await sleep(clock, retryMs, signal);
      }
    }
    return undefined;
  }
}
