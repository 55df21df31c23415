import type { ProcessHealth } from './feed-messages.ts';

/** How long an answer counts: some 40 checks take a server 10 ms and more. */
const goodForMs = 6_000;
const badForMs = 1_000;

/** Asks processes for their health now and then. */
export class RememberedHealth {
  readonly #ask: (name: string) => Promise<ProcessHealth>;
  readonly #now: () => number;
  readonly #known = new Map<string, { readonly health: ProcessHealth; readonly untilMs: number }>();

  /** @param now milliseconds of a clock that never goes back */
  constructor(ask: (name: string) => Promise<ProcessHealth>, now: () => number = () => performance.now()) {
    this.#ask = ask;
    this.#now = now;
  }

  /** What a process said the last time, or says now. */
  async of(name: string): Promise<ProcessHealth> {
    const known = this.#known.get(name);
    if (known !== undefined && this.#now() < known.untilMs) return known.health;
    const health = await this.#ask(name);
    this.#known.set(name, { health, untilMs: this.#now() + (health.kind === 'ready' ? goodForMs : badForMs) });
    return health;
  }
}
