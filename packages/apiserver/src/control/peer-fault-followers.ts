import { monotonicClock, sleep } from '@kubechain/apimachinery';
import type { PeerFaultNews } from '../peers/follow-peer-faults.ts';
import type { PeerKind } from '../peers/peer-call.ts';

/** How long those who set a fault wait for processes that do not ask any more, ms. */
const longestSettleMs = 2_000;
/** How long after the start other processes may be about to ask for the first time, ms. */
const joiningMs = 250;

/** Processes that ask which kinds of their calls could meet a fault. */
export class PeerFaultFollowers {
  readonly #kinds: () => ReadonlySet<PeerKind>;
  readonly #joinedBy: number;
  /** What each knows, by its name. */
  readonly #known = new Map<string, string>();
  readonly #waiting = new Set<() => void>();
  #version = 0;

  /** @param expected whether there are such processes */
  constructor(kinds: () => ReadonlySet<PeerKind>, expected: boolean) {
    this.#kinds = kinds;
    this.#joinedBy = monotonicClock.now() + (expected ? joiningMs : 0);
  }

  /** Faults of peers have been set, or are over. */
  changed(): void {
    this.#version++;
    this.#wake();
  }

  /** Resolves when a follower knows something else than how it is now, or when `signal` aborts. */
  async news(follower: string, known: string, signal: AbortSignal): Promise<PeerFaultNews> {
    this.#known.set(follower, known);
    this.#wake();
    while (known === this.#name() && !signal.aborted) await this.#next(signal);
    return { version: this.#name(), peers: [...this.#kinds()].toSorted() };
  }

  /** Resolves when all followers know how it is now, and not later than after two seconds. */
  async settled(): Promise<void> {
    const version = this.#name();
    if (version === '0') return;
    const leftMs = this.#joinedBy - monotonicClock.now();
    if (leftMs > 0) await sleep(monotonicClock, leftMs);
    const over = AbortSignal.timeout(longestSettleMs);
    while (!over.aborted && version === this.#name() && [...this.#known.values()].some((known) => known !== version))
      await this.#next(over);
    // Those that have not asked for so long are gone.
    if (over.aborted) for (const [name, known] of this.#known) if (known !== version) this.#known.delete(name);
  }

  #name(): string {
    return String(this.#version);
  }

  #wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiting) wake();
  }

  #next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }
}
