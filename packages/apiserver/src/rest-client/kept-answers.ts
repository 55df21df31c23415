import type { Clock } from '@kubechain/apimachinery';

export interface KeptAnswersOptions {
  /** How many are kept; the oldest goes. */
  readonly limit: number;
  readonly clock: Clock;
}

/** What a server has answered, by what it was asked: believed for a time that each answer has. */
export class KeptAnswers<T> {
  readonly #limit: number;
  readonly #clock: Clock;
  readonly #answers = new Map<string, { readonly answer: T; readonly untilMs: number }>();

  constructor({ clock, limit }: KeptAnswersOptions) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** Undefined for what was not asked, or too long ago. */
  get(key: string): T | undefined {
    const known = this.#answers.get(key);
    if (known === undefined) return undefined;
    if (known.untilMs > this.#clock.now()) return known.answer;
    this.#answers.delete(key);
    return undefined;
  }

  /** Believes an answer for so many milliseconds; 0: not at all. */
  keep(key: string, answer: T, ttlMs: number): void {
    if (ttlMs <= 0) return;
    if (this.#answers.size >= this.#limit)
      for (const oldest of this.#answers.keys()) {
        this.#answers.delete(oldest);
        break;
      }
    this.#answers.set(key, { answer, untilMs: this.#clock.now() + ttlMs });
  }

  delete(key: string): void {
    this.#answers.delete(key);
  }
}
