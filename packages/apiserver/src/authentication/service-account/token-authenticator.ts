import { goQuote, type Clock } from '@kubechain/apimachinery';
import { intersectAudiences } from '../audiences.ts';
import { AuthenticationError } from '../authentication-error.ts';
import type { AuthenticatedUser, TokenAuthenticator } from '../authenticator.ts';
import { validateBoundClaims } from './claims.ts';
import { parseJWT, peekClaims, verifyJWT, type JWTClaims, type ParsedJWT } from './jwt.ts';
import type { KeySource, VerificationKey } from './keys.ts';
import { LEGACY_ISSUER, validateLegacyClaims } from './legacy-claims.ts';
import type { ServiceAccountTokenGetter } from './token-getter.ts';
import type { ServiceAccountTokenMetrics } from './token-metrics.ts';
import { serviceAccountUser, type ServiceAccountInfo } from './username.ts';

export interface ServiceAccountAuthenticatorOptions {
  /** --service-account-issuer, all of them. */
  readonly issuers: readonly string[];
  readonly keys: readonly VerificationKey[] | KeySource;
  /** --api-audiences, or the issuers. */
  readonly apiAudiences: readonly string[];
  readonly getter: ServiceAccountTokenGetter;
  readonly clock: Clock;
  /** Where uses are counted; default nowhere. */
  readonly metrics?: ServiceAccountTokenMetrics | undefined;
}

export interface LegacyServiceAccountAuthenticatorOptions extends Omit<ServiceAccountAuthenticatorOptions, 'issuers'> {
  /** --service-account-lookup. */
  readonly lookup: boolean;
  readonly onUsed?: (secret: { readonly namespace: string; readonly name: string }) => void;
}

/**
 * Bound tokens (TokenRequest, projected volumes). Tokens of other issuers are left to others. Source:
 * pkg/serviceaccount JWTTokenAuthenticator.
 */
export function serviceAccountTokenAuthenticator(options: ServiceAccountAuthenticatorOptions): TokenAuthenticator {
  return jwtAuthenticator(new Set(options.issuers), options, (_token, claims) =>
    validateBoundClaims(claims, options.getter, options),
  );
}

/** Tokens that lie in Secrets. */
export function legacyServiceAccountTokenAuthenticator(
  options: LegacyServiceAccountAuthenticatorOptions,
): TokenAuthenticator {
  return jwtAuthenticator(new Set([LEGACY_ISSUER]), options, (token, claims) =>
    validateLegacyClaims(token, claims, options),
  );
}

type Validate = (token: string, claims: JWTClaims) => Promise<ServiceAccountInfo>;
interface JWTOptions {
  readonly keys: readonly VerificationKey[] | KeySource;
  readonly apiAudiences: readonly string[];
  readonly metrics?: ServiceAccountTokenMetrics | undefined;
}

function jwtAuthenticator(issuers: ReadonlySet<string>, options: JWTOptions, validate: Validate): TokenAuthenticator {
  return {
    authenticateToken(token, tokenOptions) {
      const issuer = peekClaims(token)?.['iss'];
      if (typeof issuer !== 'string' || !issuers.has(issuer)) return undefined;
      const parsed = parseJWT(token);
      if (parsed === undefined) return undefined;
      return check({ token, parsed, requested: tokenOptions?.audiences ?? options.apiAudiences }, options, validate);
    },
  };
}

async function check(
  presented: { readonly token: string; readonly parsed: ParsedJWT; readonly requested: readonly string[] },
  options: JWTOptions,
  validate: Validate,
): Promise<AuthenticatedUser> {
  const { token, parsed, requested } = presented;
  const { keys } = options;
  verifyJWT(parsed, 'of' in keys ? await keys.of(parsed.header.kid) : keys);
  const claimed = audiencesOf(parsed.claims);
  if (claimed.length === 0) options.metrics?.legacy.inc();
  const own = claimed.length === 0 ? options.apiAudiences : claimed;
  const audiences = intersectAudiences(own, requested);
  if (audiences.length === 0 && options.apiAudiences.length > 0) {
    throw new AuthenticationError(
      'InvalidToken',
      `token audiences ${quoteList(own)} is invalid for the target audiences ${quoteList(requested)}`,
    );
  }
  return { user: serviceAccountUser(await validate(token, parsed.claims)), audiences };
}

function audiencesOf(claims: JWTClaims): readonly string[] {
  const value = claims['aud'];
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : [];
}

/** Go's %q of a string list. */
function quoteList(values: readonly string[]): string {
  return `[${values.map(goQuote).join(' ')}]`;
}
