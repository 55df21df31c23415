import type { ServerRequestContext } from '../request/server-request-context.ts';

/** Kinds of requests whose number is kept; the one that was met first goes, and begins anew if it comes again. */
const mostKinds = 10_000;

/**
 * Numbers that decide about requests: the same for the n-th request of a user with a verb for a resource, whatever
 * others do meanwhile. So draws repeat where clients run side by side, and where names are generated.
 */
export class RequestDraws {
  readonly #seed: number;
  readonly #counts = new Map<string, number>();

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** Numbers from 0 to below 1 for this request. Counts it. */
  next({ requestInfo, user }: ServerRequestContext): () => number {
    const { apiGroup, resource, subresource, verb } = requestInfo;
    return this.nextOf([user.name, verb, apiGroup, resource, subresource].join('\n'));
  }

  /** Numbers from 0 to below 1 for the next one of a kind. Counts it. */
  nextOf(kind: string): () => number {
    const nth = (this.#counts.get(kind) ?? 0) + 1;
    if (nth === 1 && this.#counts.size >= mostKinds) this.#counts.delete(this.#counts.keys().next().value as string);
    this.#counts.set(kind, nth);
    return seeded(mixed(this.#seed, `${kind}\n${nth}`));
  }
}

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mix = Math.imul(state ^ (state >>> 15), state | 1);
    mix ^= mix + Math.imul(mix ^ (mix >>> 7), mix | 61);
    return ((mix ^ (mix >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A seed of its own for `text` (FNV-1a). */
export function mixed(seed: number, text: string): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash;
}
