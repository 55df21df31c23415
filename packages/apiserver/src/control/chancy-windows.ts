import { mixed, seeded } from './request-draws.ts';

/** How long each lasts: long enough for clients to connect in it, ms. */
const windowMs = 2_000;

/** Windows of time of which chance chooses some, the same by the same seed. Times are since the first began, in ms. */
export class ChancyWindows {
  readonly #probability: number;
  readonly #seed: number;

  constructor({ probability = 1, seed = 1 }: { readonly probability?: number; readonly seed?: number }) {
    this.#probability = probability;
    this.#seed = seed;
  }

  /** Whether a time is in one that was chosen. */
  has(atMs: number): boolean {
    return seeded(mixed(this.#seed, `window ${Math.floor(atMs / windowMs)}`))() < this.#probability;
  }

  /** When the window of a time ends; never, where all are chosen. */
  endOf(atMs: number): number {
    return this.#probability === 1 ? Number.POSITIVE_INFINITY : (Math.floor(atMs / windowMs) + 1) * windowMs;
  }
}
