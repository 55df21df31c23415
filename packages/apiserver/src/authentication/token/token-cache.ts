import { hash, randomBytes } from 'node:crypto';
import type { Clock } from '@kubechain/apimachinery';
import type { AuthenticatedUser, TokenAuthenticator } from '../authenticator.ts';
import type { TokenCacheMetrics } from './token-cache-metrics.ts';

export interface TokenCacheOptions {
  /** How long a success is believed, in milliseconds; 0 turns the cache off. kube-apiserver: 10,000. */
  readonly successTTLMs: number;
  readonly clock: Clock;
  /** The same for tokens that nobody knows. Default 0: they are asked about each time. */
  readonly failureTTLMs?: number;
  /** Told of hits and misses. */
  readonly metrics?: TokenCacheMetrics | undefined;
}

interface Entry {
  readonly expiresAtMs: number;
  readonly known: AuthenticatedUser | undefined;
}

/**
 * Entries kept; at the limit the oldest goes. 32,000 is the reference's cache size, twice the tokens of a 5,000-node
 * cluster.
 */
const MAX_ENTRIES = 32_000;

/**
 * Remembers good tokens for a short time, so that a signature is checked once per token and not per request, and shares
 * one check among all who ask for the same token meanwhile. Tokens are kept as keyed hashes. Errors are not kept.
 * Source: authentication/token/cache.
 */
export function cachedTokenAuthenticator(delegate: TokenAuthenticator, options: TokenCacheOptions): TokenAuthenticator {
  if (options.successTTLMs <= 0) return delegate;
  const { clock, failureTTLMs = 0, metrics, successTTLMs } = options;
  const secret = randomBytes(32).toString('base64');
  const entries = new Map<string, Entry>();
  const running = new Map<string, Promise<AuthenticatedUser | undefined>>();

  const keep = (key: string, known: AuthenticatedUser | undefined): AuthenticatedUser | undefined => {
    const ttlMs = known === undefined ? failureTTLMs : successTTLMs;
    if (ttlMs <= 0) return known;
    if (entries.size >= MAX_ENTRIES) entries.delete(entries.keys().next().value!);
    entries.set(key, { expiresAtMs: clock.now() + ttlMs, known });
    return known;
  };

  return {
    authenticateToken(token, tokenOptions) {
      const key = keyOf(secret, token, tokenOptions?.audiences);
      const entry = entries.get(key);
      if (entry !== undefined) {
        if (entry.expiresAtMs > clock.now()) {
          metrics?.hit();
          return entry.known;
        }
        entries.delete(key);
      }
      const answered = metrics?.missed();
      const shared = running.get(key);
      if (shared !== undefined) return answered === undefined ? shared : shared.finally(answered);
      const fetched = metrics?.fetching();
      let outcome: ReturnType<TokenAuthenticator['authenticateToken']>;
      try {
        outcome = delegate.authenticateToken(token, tokenOptions);
      } catch (error) {
        fetched?.(false);
        answered?.();
        throw error;
      }
      if (!(outcome instanceof Promise)) {
        fetched?.(true);
        answered?.();
        return keep(key, outcome);
      }
      const checked = outcome.then((known) => keep(key, known)).finally(() => running.delete(key));
      running.set(key, checked);
      checked.then(
        () => fetched?.(true),
        () => fetched?.(false),
      );
      return answered === undefined ? checked : checked.finally(answered);
    },
  };
}

/**
 * Hashed in one call: an Hmac object costs ten times as much (12 µs against 1.2). The secret goes first and has one
 * length.
 */
function keyOf(secret: string, token: string, audiences: readonly string[] | undefined): string {
  // The separator cannot occur in a token that came over HTTP, so no token and audience list can pass for another.
  const text = audiences === undefined ? token : [token, ...audiences].join('\0');
  return hash('sha256', secret + text, 'base64');
}
