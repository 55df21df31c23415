/** How pauses between attempts grow (k8s.io/apimachinery/pkg/util/wait.Backoff, with factor 2). */
export interface BackoffOptions {
  /** After the first failure, ms. */
  readonly firstMs: number;
  /** No pause is longer, but for what is added at random, ms. */
  readonly longestMs: number;
  /** Up to this part of a pause is added at random, so that those who failed together do not come back together. */
  readonly jitter?: { readonly part: number; readonly random: () => number };
}

/** The pause after so many failures before this one, ms. */
export function backoffMs(failures: number, { firstMs, jitter, longestMs }: BackoffOptions): number {
  // Beyond 2^30 the longest pause is meant, whatever the first one is.
  const pauseMs = Math.min(firstMs * 2 ** Math.min(failures, 30), longestMs);
  return jitter === undefined ? pauseMs : pauseMs * (1 + jitter.part * jitter.random());
}

/** The pauses of one thing that is tried until it succeeds: doubled from one failure to the next. */
export class Backoff {
  readonly #options: BackoffOptions;
  #failures = 0;

  constructor(options: BackoffOptions) {
    this.#options = options;
  }

  /** How long to wait after another failure, ms. */
  next(): number {
    return backoffMs(this.#failures++, this.#options);
  }

  /** It has succeeded: the next failure is a first one. */
  reset(): void {
    this.#failures = 0;
  }
}
