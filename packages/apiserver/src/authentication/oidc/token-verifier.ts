import { goQuote, isPlainObject, messageOf, parseJSON, type Clock } from '@kubechain/apimachinery';
import { AuthenticationError } from '../authentication-error.ts';
import type { Claims } from './claims.ts';
import type { KeySet } from './key-set.ts';

/** How far the clock of an issuer may be ahead. */
const notBeforeLeewayMs = 60_000;
const google = { url: 'https://accounts.google.com', name: 'accounts.google.com' };

export interface TokenVerifierOptions {
  readonly issuer: string;
  readonly audiences: readonly string[];
  /** Names of RFC 7518. */
  readonly algorithms: readonly string[];
  readonly keys: Pick<KeySet, 'verify'>;
  readonly clock: Clock;
}

/**
 * The claims of an issuer's token, checked for signature, issuer, audience and time (go-oidc IDTokenVerifier, and
 * what kube-apiserver 1.36 adds for several audiences).
 * @throws AuthenticationError `InvalidToken`
 */
export async function verifyToken(token: string, options: TokenVerifierOptions): Promise<Claims> {
  const { algorithms, audiences, clock, issuer, keys } = options;
  const header = headerOf(token);
  if (!algorithms.includes(header.alg))
    throw refusal(
      `oidc: id token signed with unsupported algorithm, expected ${quoted(algorithms)} got ${goQuote(header.alg)}`,
    );
  const claims = payloadClaims(
    await keys.verify(token, header).catch((error: unknown) => {
      throw new AuthenticationError('InvalidToken', `failed to verify signature: ${messageOf(error)}`, {
        cause: error,
      });
    }),
  );
  checkClaimSources(claims);
  const found = typeof claims['iss'] === 'string' ? claims['iss'] : '';
  if (found !== issuer && !(issuer === google.url && found === google.name))
    throw refusal(`oidc: id token issued by a different provider, expected ${goQuote(issuer)} got ${goQuote(found)}`);
  const offered = audiencesOf(claims['aud']);
  if (!offered.some((audience) => audiences.includes(audience)))
    throw refusal(
      audiences.length === 1
        ? `oidc: expected audience ${goQuote(audiences[0] ?? '')} got ${quoted(offered)}`
        : `oidc: expected audience in ${quoted([...audiences].sort())} got ${quoted(offered)}`,
    );
  checkTimes(claims, clock.now());
  return claims;
}

/** The issuer that a token names, if it is one: nothing of it is to be trusted. */
export function untrustedIssuer(token: string): string | undefined {
  const parts = token.split('.');
  if (parts.length !== 3 || token.trimStart().startsWith('{')) return undefined;
  const claims = objectOf(parts[1] ?? '');
  if (claims === undefined) return undefined;
  const { iss = '' } = claims;
  if (typeof iss !== 'string') return undefined;
  return iss === google.name ? google.url : iss;
}

function headerOf(token: string): { readonly alg: string; readonly kid: string } {
  const header = objectOf(token.split('.')[0] ?? '');
  if (header === undefined) throw refusal('oidc: malformed jwt: header is no object');
  const { alg, kid } = header;
  return { alg: typeof alg === 'string' ? alg : '', kid: typeof kid === 'string' ? kid : '' };
}

function objectOf(encoded: string): Claims | undefined {
  if (!/^[A-Za-z0-9_-]*$/.test(encoded)) return undefined;
  try {
    const value: unknown = parseJSON(Buffer.from(encoded, 'base64url').toString('utf8'));
    return isPlainObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function payloadClaims(payload: Uint8Array): Claims {
  try {
    const claims: unknown = parseJSON(Buffer.from(payload).toString('utf8'));
    if (isPlainObject(claims)) return claims;
  } catch (error) {
    throw refusal(`oidc: failed to unmarshal claims: ${messageOf(error)}`);
  }
  throw refusal('oidc: failed to unmarshal claims: they are no object');
}

function audiencesOf(aud: unknown): readonly string[] {
  if (typeof aud === 'string') return [aud];
  return Array.isArray(aud) ? aud.filter((item) => typeof item === 'string') : [];
}

/** Claims that are elsewhere have to be somewhere. */
function checkClaimSources({ _claim_names: names, _claim_sources: sources }: Claims): void {
  for (const source of isPlainObject(names) ? Object.values(names) : []) {
    if (source === '' || source === null) throw refusal('oidc: failed to obtain source from claim name');
    if (typeof source !== 'string') throw refusal('oidc: failed to unmarshal claims: a source is no text');
    if (!isPlainObject(sources) || !Object.hasOwn(sources, source)) throw refusal('oidc: source does not exist');
  }
}

function checkTimes(claims: Claims, nowMs: number): void {
  const expiresAtMs = secondsOf(claims, 'exp') * 1000;
  if (expiresAtMs < nowMs) throw refusal(`oidc: token is expired (Token Expiry: ${goTime(expiresAtMs)})`);
  if (claims['nbf'] === undefined || claims['nbf'] === null) return;
  const notBeforeMs = secondsOf(claims, 'nbf') * 1000;
  if (nowMs + notBeforeLeewayMs < notBeforeMs)
    throw refusal(`oidc: current time ${goTime(nowMs)} before the nbf (not before) time: ${goTime(notBeforeMs)}`);
}

function secondsOf(claims: Claims, name: string): number {
  const value = claims[name] ?? 0;
  const seconds = typeof value === 'string' && value !== '' ? Number(value) : value;
  if (typeof seconds !== 'number' || !Number.isFinite(seconds))
    throw refusal(`oidc: failed to unmarshal claims: ${name} is no time`);
  return Math.trunc(seconds);
}

/** As Go prints a time in UTC. */
function goTime(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 19).replace('T', ' ')} +0000 UTC`;
}

function quoted(texts: readonly string[]): string {
  return `[${texts.map(goQuote).join(' ')}]`;
}

function refusal(text: string): AuthenticationError {
  return new AuthenticationError('InvalidToken', text);
}
