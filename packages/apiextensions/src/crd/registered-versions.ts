import { sleep, type TimerClock } from '@kubechain/apimachinery';
import type { ResourceStorage } from '@kubechain/apiserver/resources';
import type { CustomResourceDefinition } from '../definition/crd-types.ts';

/** How long a CRD waits for its APIServices: an aggregator makes them within milliseconds. */
const limitMs = 2_000;
const lookMs = 10;
/** Whoever has waited in vain shows that no aggregator works; nobody waits again for this long. */
const vainMs = 60_000;

export interface RegisteredVersionsOptions {
  /** Of this process; should never go back. */
  readonly clock: TimerClock;
  readonly limitMs?: number;
  readonly vainMs?: number;
}

/** The stored APIServices, as far as they are looked at here. */
type APIServices = Pick<ResourceStorage, 'keyRoot'> & { readonly storage: Pick<ResourceStorage['storage'], 'get'> };

/**
 * Waits until an aggregator over the same store has registered the group versions of a CRD: who waits for Established
 * goes on to discovery, which must know them by then. Where no aggregator has ever worked, nobody waits.
 */
export class RegisteredVersions {
  readonly #apiServices: APIServices;
  readonly #options: RegisteredVersionsOptions;
  #vainUntil = 0;

  constructor(apiServices: APIServices, options: RegisteredVersionsOptions) {
    this.#apiServices = apiServices;
    this.#options = options;
  }

  /** Resolves when all served versions are registered, or after 2 s at most. Never rejects: this only helps clients. */
  async wait({ spec }: CustomResourceDefinition, signal: AbortSignal): Promise<void> {
    const missing = new Set(spec.versions.filter(({ served }) => served).map(({ name }) => `${name}.${spec.group}`));
    const started = this.#options.clock.now();
    if (started < this.#vainUntil) return;
    try {
      // The core group's is made first, and never goes.
      if (!(await this.#exists('v1.'))) return;
      for (;;) {
        for (const name of missing) if (await this.#exists(name)) missing.delete(name);
        if (missing.size === 0 || signal.aborted) return;
        if (this.#options.clock.now() - started > (this.#options.limitMs ?? limitMs)) break;
        await sleep(this.#options.clock, lookMs, signal);
        if (signal.aborted) return;
      }
    } catch {
      return;
    }
    this.#vainUntil = this.#options.clock.now() + (this.#options.vainMs ?? vainMs);
  }

  async #exists(name: string): Promise<boolean> {
    return (
      (await this.#apiServices.storage.get(`${this.#apiServices.keyRoot}/${name}`, { ignoreNotFound: true })) !==
      undefined
    );
  }
}
