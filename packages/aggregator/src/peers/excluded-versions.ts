import { sleep } from '@kubechain/apimachinery';
import type { TimerClock } from '@kubechain/apimachinery';

/** How long a version that is served no more is not looked for at peers, ms (peerproxy.go, 1.36). */
const graceMs = 300_000;

/**
 * Group versions of definitions and of extension servers: all API servers over one store have the same, so that none is
 * asked of another. One that has gone stays excluded for a while, until the others have heard of that, too
 * (apiserver/pkg/util/peerproxy/gv_exclusion_manager.go, 1.36).
 */
export class ExcludedVersions {
  readonly #current: () => Iterable<string>;
  readonly #onChange: () => void;
  readonly #clock: TimerClock;
  readonly #signal: AbortSignal;
  #active: ReadonlySet<string> = new Set();
  /** group/version → when it went. */
  readonly #gone = new Map<string, number>();

  /**
   * @param current `group/version` of all that there are now
   * @param options `onChange`: what is excluded has changed
   */
  constructor(
    current: () => Iterable<string>,
    options: { readonly onChange: () => void; readonly clock: TimerClock; readonly signal: AbortSignal },
  ) {
    this.#current = current;
    this.#onChange = options.onChange;
    this.#clock = options.clock;
    this.#signal = options.signal;
  }

  has(groupVersion: string): boolean {
    return this.#active.has(groupVersion) || this.#gone.has(groupVersion);
  }

  /** Looks again at what there is: definitions or APIServices have changed. */
  update(): void {
    const now = new Set(this.#current());
    const before = this.#active;
    this.#active = now;
    let changed = now.size !== before.size;
    for (const name of before)
      if (!now.has(name)) {
        changed = true;
        this.#gone.set(name, this.#clock.now());
        void this.#forgetLater(name);
      }
    if (changed) this.#onChange();
  }

  async #forgetLater(name: string): Promise<void> {
    const since = this.#gone.get(name);
    await sleep(this.#clock, graceMs, this.#signal);
    // It may have come back and gone again meanwhile.
    if (this.#signal.aborted || this.#gone.get(name) !== since) return;
    this.#gone.delete(name);
    this.#onChange();
  }
}
