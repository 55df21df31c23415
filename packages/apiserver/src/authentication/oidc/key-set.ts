import { isPlainObject, messageOf, parseJSON, type Clock } from '@kubechain/apimachinery';
import type { CryptoKey, JWK, KeyObject } from 'jose';
import { AuthenticationError } from '../authentication-error.ts';
import type { IssuerClient } from './issuer-client.ts';
import type { JWTMetrics } from './jwt-metrics.ts';

/** Keys are asked for again this long before they have said that they end. */
const expiryDeltaMs = 30_000;

export interface KeySetOptions {
  readonly client: IssuerClient;
  readonly clock: Clock;
  readonly url: string;
  readonly issuer: string;
  readonly metrics: JWTMetrics;
}

interface KnownKey {
  readonly kid: string;
  readonly jwk: JWK;
  /** By algorithm: what a key is depends on what it is used for. */
  readonly imported: Map<string, CryptoKey | KeyObject | Uint8Array | undefined>;
}

/**
 * An issuer's keys, asked for again when a token shows none that is known and the answer before may be out of date
 * (go-oidc remoteKeySet). All who wait share one question.
 */
export class KeySet {
  readonly #options: KeySetOptions;
  #keys: readonly KnownKey[] = [];
  #expiresAtMs = 0;
  #asking: Promise<readonly KnownKey[]> | undefined;

  constructor(options: KeySetOptions) {
    this.#options = options;
  }

  /**
   * The payload of a token that one of the keys has signed.
   * @throws AuthenticationError `InvalidToken`
   */
  async verify(token: string, { alg, kid }: { readonly alg: string; readonly kid: string }): Promise<Uint8Array> {
    const known = await payloadOf(token, candidates(this.#keys, kid), alg);
    if (known !== undefined) return known;
    if (this.#options.clock.now() + expiryDeltaMs <= this.#expiresAtMs) throw unverified();
    let keys: readonly KnownKey[];
    try {
      keys = await (this.#asking ??= this.#ask().finally(() => (this.#asking = undefined)));
    } catch (error) {
      throw new AuthenticationError('InvalidToken', `fetching keys ${messageOf(error)}`, { cause: error });
    }
    const payload = await payloadOf(token, candidates(keys, kid), alg);
    if (payload === undefined) throw unverified();
    return payload;
  }

  async #ask(): Promise<readonly KnownKey[]> {
    const { client, clock, issuer, metrics, url } = this.#options;
    try {
      const { body, headers, status, statusText } = await client.get(url).catch((error: unknown) => {
        throw new AuthenticationError('InvalidToken', `oidc: get keys failed ${messageOf(error)}`, { cause: error });
      });
      if (status !== 200) throw new AuthenticationError('InvalidToken', `oidc: get keys failed: ${statusText} ${body}`);
      const keys = keysOf(body);
      metrics.keysFetched(issuer, body);
      this.#keys = keys;
      this.#expiresAtMs = clock.now() + maxAgeMs(headers['cache-control']);
      return keys;
    } catch (error) {
      metrics.keysFailed(issuer);
      throw error;
    }
  }
}

function candidates(keys: readonly KnownKey[], kid: string): readonly KnownKey[] {
  return kid === '' ? keys : keys.filter((key) => key.kid === kid);
}

async function payloadOf(token: string, keys: readonly KnownKey[], alg: string): Promise<Uint8Array | undefined> {
  if (keys.length === 0) return undefined;
  const { compactVerify } = await import('jose');
  for (const key of keys) {
    const imported = await importedKey(key, alg);
    if (imported === undefined) continue;
    try {
      return (await compactVerify(token, imported, { algorithms: [alg] })).payload;
    } catch {
      // Of another key, or of another kind than the algorithm's.
    }
  }
  return undefined;
}

async function importedKey({ imported, jwk }: KnownKey, alg: string): ReturnType<typeof importKey> {
  if (!imported.has(alg)) imported.set(alg, await importKey(jwk, alg));
  return imported.get(alg);
}

async function importKey(jwk: JWK, alg: string): Promise<CryptoKey | KeyObject | Uint8Array | undefined> {
  const { crv, e, kty, n, x, y } = jwk;
  // Secrets are no keys of issuers.
  if (kty !== 'RSA' && kty !== 'EC') return undefined;
  const { importJWK } = await import('jose');
  try {
    return await importJWK(kty === 'RSA' ? ({ kty, n, e } as JWK) : ({ kty, crv, x, y } as JWK), alg);
  } catch {
    return undefined;
  }
}

function keysOf(body: string): readonly KnownKey[] {
  const refusal = (reason: string): AuthenticationError =>
    new AuthenticationError('InvalidToken', `oidc: failed to decode keys: ${reason} ${body}`);
  let document: unknown;
  try {
    document = parseJSON(body);
  } catch (error) {
    throw refusal(messageOf(error));
  }
  const keys = isPlainObject(document) ? document['keys'] : undefined;
  if (!Array.isArray(keys)) throw refusal('there are none');
  return keys.filter(isPlainObject).map((jwk) => ({
    jwk: jwk as JWK,
    kid: typeof jwk['kid'] === 'string' ? jwk['kid'] : '',
    imported: new Map(),
  }));
}

function maxAgeMs(header: unknown): number {
  if (typeof header !== 'string' || /\bno-(?:store|cache)\b/.test(header)) return 0;
  const seconds = /\bmax-age=(\d{1,9})/.exec(header)?.[1];
  return seconds === undefined ? 0 : Number(seconds) * 1000;
}

function unverified(): AuthenticationError {
  return new AuthenticationError('InvalidToken', 'failed to verify id token signature');
}
