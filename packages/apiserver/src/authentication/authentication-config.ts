import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '@kubechain/apimachinery';
import { ANONYMOUS, anonymousAuthenticator } from './anonymous.ts';
import { audienceAgnosticToken } from './audiences.ts';
import { authenticatedGroupAdder, addAuthenticatedGroup } from './authenticated-group-adder.ts';
import { AuthenticationError } from './authentication-error.ts';
import type { AuthenticatedUser, RequestAuthenticator, TokenAuthenticator } from './authenticator.ts';
import { requestHeaderAuthenticator, type RequestHeaderNames } from './request-header/request-header.ts';
import { strippingIdentity } from './request-header/strip-identity.ts';
import {
  legacyServiceAccountTokenAuthenticator,
  serviceAccountTokenAuthenticator,
} from './service-account/token-authenticator.ts';
import { loadVerificationKeys } from './service-account/keys.ts';
import type { KeySource, VerificationKey } from './service-account/keys.ts';
import type { ServiceAccountTokenGetter } from './service-account/token-getter.ts';
import { bearerTokenAuthenticator, tokenInHeader } from './token/bearer-token.ts';
import { staticTokenAuthenticator } from './token/static-token.ts';
import { cachedTokenAuthenticator } from './token/token-cache.ts';
import type { AuthenticatorMetrics } from './authenticator-metrics.ts';
import { loadTokenFile } from './token/token-file.ts';
import { websocketProtocolAuthenticator } from './token/websocket-protocol.ts';
import { unionRequestAuthenticator, unionTokenAuthenticator } from './union.ts';
import { API_SERVER_USER, AUTHENTICATED_GROUP, PRIVILEGED_GROUP } from './well-known-users.ts';
import { CLIENT_CERTIFICATE_TLS_OPTIONS } from './x509/client-certificate.ts';
import { followCertificatePool } from './x509/certificate-pool.ts';
import { clientCertificateGuard, x509Authenticator } from './x509/x509-authenticator.ts';

/** --requestheader-*. */
export interface RequestHeaderConfig {
  readonly clientCAFile: string;
  /** Common names that the proxy's certificate may have; empty = any. */
  readonly allowedNames: readonly string[];
  readonly headers: RequestHeaderNames;
}

/** --service-account-* and --api-audiences. */
export interface ServiceAccountConfig {
  readonly issuers: readonly string[];
  /** --service-account-key-file, else --service-account-signing-key-file. */
  readonly keyFiles: readonly string[];
  /** In place of files, of a server that is given some. */
  readonly keys?: readonly VerificationKey[] | undefined;
  /** In place of files (--service-account-signing-endpoint). */
  readonly externalKeys?: KeySource | undefined;
  readonly lookup: boolean;
  readonly getter: ServiceAccountTokenGetter;
  readonly onLegacyTokenUsed?: (secret: { readonly namespace: string; readonly name: string }) => void;
}

/** How callers prove who they are, from flags. Absent members are methods that are off. */
export interface AuthenticationConfig {
  readonly clock: Clock;
  /** --anonymous-auth; `paths` from AuthenticationConfiguration conditions. */
  readonly anonymous: { readonly enabled: boolean; readonly paths?: readonly string[] };
  /** Empty = the issuers. */
  readonly apiAudiences: readonly string[];
  readonly clientCAFile?: string;
  readonly requestHeader?: RequestHeaderConfig;
  readonly tokenAuthFile?: string;
  /** Tokens that are known as those of a file are. */
  readonly fixedTokens?: TokenAuthenticator;
  readonly serviceAccount?: ServiceAccountConfig;
  /** Default 10,000, as the reference. */
  readonly tokenSuccessCacheTTLMs?: number;
  /** Methods of the caller's own (bootstrap tokens), asked after the ones above. */
  readonly extraTokenAuthenticators?: readonly TokenAuthenticator[];
  /** Tokens of --oidc-issuer-url or --authentication-config: after those of service accounts, which are cheaper. */
  readonly issuers?: TokenAuthenticator;
  /** --authentication-token-webhook-*: asked last, and told which audiences are wanted. */
  readonly tokenWebhook?: TokenAuthenticator;
  readonly warn?: (text: string) => void;
  /** Where certificates and tokens of requests are counted; default nowhere. */
  readonly metrics?: AuthenticatorMetrics | undefined;
}

/** What the authentication filter and the review APIs work with. */
export interface Authentication {
  /** Anonymous included: undefined means that this request may not come in (401). */
  readonly request: RequestAuthenticator;
  readonly apiAudiences: readonly string[];
  /**
   * Bearer token of `system:apiserver` in `system:masters`, new on each start: for this process's own requests to
   * itself.
   */
  readonly loopbackToken: string;
  /** To make the TLS server with; empty when no client certificates are taken. */
  readonly tlsOptions: Partial<typeof CLIENT_CERTIFICATE_TLS_OPTIONS>;
  readonly requestHeaders: RequestHeaderNames | undefined;
  /**
   * TokenReview: who a token belongs to; undefined for blanks where nobody may be anonymous.
   * @throws the errors that the reference puts in status.error
   */
  reviewToken(token: string, audiences: readonly string[]): Promise<AuthenticatedUser | undefined>;
}

/**
 * Builds the chain in the reference's order: loopback, front proxy, x509, bearer tokens, anonymous. Reads every file
 * now.
 * @throws OptionsError with one line that names the flag
 * Source: pkg/kubeapiserver/authenticator Config.New and apiserver/pkg/server AuthorizeClientBearerToken.
 */
export function newAuthentication(config: AuthenticationConfig): Authentication {
  const apiAudiences = config.apiAudiences.length > 0 ? config.apiAudiences : (config.serviceAccount?.issuers ?? []);
  const members: RequestAuthenticator[] = [];

  if (config.requestHeader !== undefined) {
    const { clientCAFile, allowedNames, headers } = config.requestHeader;
    const pool = followCertificatePool(clientCAFile, 'requestheader-client-ca-file');
    members.push(
      clientCertificateGuard({ pool, allowedNames, clock: config.clock }, requestHeaderAuthenticator(headers)),
    );
  }
  if (config.clientCAFile !== undefined) {
    const pool = followCertificatePool(config.clientCAFile, 'client-ca-file');
    members.push(x509Authenticator(pool, config.clock, config.metrics?.certificateExpirations));
  }
  const tokens = tokenAuthenticator(config, apiAudiences);
  if (tokens !== undefined) members.push(bearerTokenAuthenticator(tokens), websocketProtocolAuthenticator(tokens));

  const loopbackToken = randomBytes(32).toString('base64url');
  const loopback = staticTokenAuthenticator(loopbackToken, {
    name: API_SERVER_USER,
    uid: randomUUID(),
    groups: [AUTHENTICATED_GROUP, PRIVILEGED_GROUP],
  });
  const configured = withAnonymous(members, config.anonymous);
  const reviewed = unionTokenAuthenticator(
    tokens === undefined ? [failing(loopback)] : [failing(loopback), failing(tokens)],
  );
  const request = unionRequestAuthenticator([loopbackAuthenticator(loopback), ...configured]);
  return {
    request: config.requestHeader === undefined ? request : strippingIdentity(request, config.requestHeader.headers),
    apiAudiences,
    loopbackToken,
    requestHeaders: config.requestHeader?.headers,
    tlsOptions:
      config.clientCAFile === undefined && config.requestHeader === undefined ? {} : CLIENT_CERTIFICATE_TLS_OPTIONS,
    reviewToken: (text, asked) => {
      const audiences = asked.length === 0 ? apiAudiences : asked;
      // Reviewed as a header would be: what is no token there leaves the request anonymous.
      const token = tokenInHeader(`Bearer ${text}`) ?? '';
      if (token !== '') return reviewToken(reviewed, token, asked);
      const { enabled, paths = [] } = config.anonymous;
      return Promise.resolve(enabled && paths.length === 0 ? { ...ANONYMOUS, audiences } : undefined);
    },
  };
}

function tokenAuthenticator(
  config: AuthenticationConfig,
  apiAudiences: readonly string[],
): TokenAuthenticator | undefined {
  const members: TokenAuthenticator[] = [];
  // Beside the cache: a look-up in a file's tokens is cheaper than one in the cache.
  const fixed: TokenAuthenticator[] = [];
  if (config.tokenAuthFile !== undefined) {
    fixed.push(
      audienceAgnosticToken(
        loadTokenFile(config.tokenAuthFile, config.warn === undefined ? {} : { warn: config.warn }),
        apiAudiences,
      ),
    );
  }
  if (config.fixedTokens !== undefined) fixed.push(audienceAgnosticToken(config.fixedTokens, apiAudiences));
  const accounts = config.serviceAccount;
  const given = accounts?.externalKeys ?? accounts?.keys;
  if (accounts !== undefined && (accounts.keyFiles.length > 0 || given !== undefined)) {
    const keys = given ?? accounts.keyFiles.flatMap(loadVerificationKeys);
    const shared = {
      keys,
      apiAudiences,
      getter: accounts.getter,
      clock: config.clock,
      metrics: config.metrics?.serviceAccountTokens,
    };
    members.push(
      legacyServiceAccountTokenAuthenticator({
        ...shared,
        lookup: accounts.lookup,
        ...(accounts.onLegacyTokenUsed === undefined ? {} : { onUsed: accounts.onLegacyTokenUsed }),
      }),
    );
    if (accounts.issuers.length > 0)
      members.push(serviceAccountTokenAuthenticator({ ...shared, issuers: accounts.issuers }));
  }
  for (const extra of config.extraTokenAuthenticators ?? []) members.push(audienceAgnosticToken(extra, apiAudiences));
  if (config.issuers !== undefined) members.push(audienceAgnosticToken(config.issuers, apiAudiences));
  const { tokenWebhook } = config;
  if (tokenWebhook !== undefined)
    members.push({
      authenticateToken: (token, { audiences = apiAudiences } = {}) =>
        tokenWebhook.authenticateToken(token, audiences.length === 0 ? {} : { audiences }),
    });
  if (members.length > 0)
    fixed.push(
      cachedTokenAuthenticator(unionTokenAuthenticator(members), {
        successTTLMs: config.tokenSuccessCacheTTLMs ?? 10_000,
        clock: config.clock,
        metrics: config.metrics?.tokenCache,
      }),
    );
  return fixed.length === 0 ? undefined : unionTokenAuthenticator(fixed);
}

/**
 * Unlike other bearer authenticators it leaves unknown tokens to the next, since it sees every request's: an error each
 * would cost 10 µs.
 */
function loopbackAuthenticator(tokens: TokenAuthenticator): RequestAuthenticator {
  return {
    authenticate(request) {
      const header = request.headers.authorization;
      const known =
        header?.startsWith('Bearer ') === true ? tokens.authenticateToken(header.slice('Bearer '.length)) : undefined;
      if (known !== undefined) delete request.headers.authorization;
      return known;
    },
  };
}

/** A bad credential is never taken for no credential: anonymous is asked only when nobody found one. */
function withAnonymous(
  members: readonly RequestAuthenticator[],
  anonymous: AuthenticationConfig['anonymous'],
): RequestAuthenticator[] {
  const known = members.length === 0 ? [] : [authenticatedGroupAdder(unionRequestAuthenticator(members))];
  if (!anonymous.enabled) return known;
  return [
    unionRequestAuthenticator(
      [...known, anonymousAuthenticator(anonymous.paths === undefined ? {} : { paths: anonymous.paths })],
      { failOnError: true },
    ),
  ];
}

/** A token that nobody knows is an error of its own, once per chain, as bearer authentication has it. */
function failing(tokens: TokenAuthenticator): TokenAuthenticator {
  const accept = (known: AuthenticatedUser | undefined): AuthenticatedUser => {
    if (known === undefined) throw new AuthenticationError('InvalidToken', 'invalid bearer token');
    return known;
  };
  return {
    authenticateToken(token, options) {
      const outcome = tokens.authenticateToken(token, options);
      return outcome instanceof Promise ? outcome.then(accept) : accept(outcome);
    },
  };
}

async function reviewToken(
  tokens: TokenAuthenticator,
  token: string,
  audiences: readonly string[],
): Promise<AuthenticatedUser> {
  const known = await tokens.authenticateToken(token, audiences.length === 0 ? {} : { audiences });
  if (known === undefined) throw new AuthenticationError('InvalidToken', 'invalid bearer token');
  return addAuthenticatedGroup(known);
}
