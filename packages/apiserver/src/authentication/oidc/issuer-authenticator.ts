import type { EgressSelector } from '../../egress/egress-selector.ts';
import { messageOf, type TimerClock } from '@kubechain/apimachinery';
import { AuthenticationError } from '../authentication-error.ts';
import type { AuthenticatedUser, TokenAuthenticator } from '../authenticator.ts';
import type { ConfiguredIssuer } from './configured-issuer.ts';
import { DistributedClaims } from './distributed-claims.ts';
import { IssuerClient } from './issuer-client.ts';
import { IssuerVerifier } from './issuer-verifier.ts';
import type { JWTMetrics } from './jwt-metrics.ts';
import { mapClaims } from './map-claims.ts';
import { untrustedIssuer } from './token-verifier.ts';

/** What all issuers are made with. */
export interface IssuerAuthenticatorOptions {
  readonly clock: TimerClock;
  readonly metrics: JWTMetrics;
  /** Default: nothing is selected. */
  readonly egress?: EgressSelector | undefined;
  /** Of signatures: names of RFC 7518. */
  readonly algorithms: readonly string[];
}

/** Takes tokens of one issuer; says nothing about those of others (plugin/pkg/authenticator/token/oidc, 1.36). */
export class IssuerAuthenticator implements TokenAuthenticator {
  readonly #issuer: ConfiguredIssuer;
  readonly #options: IssuerAuthenticatorOptions;
  readonly #client: IssuerClient;
  readonly #verifier: IssuerVerifier;
  readonly #distributed: DistributedClaims | undefined;
  readonly #ended = new AbortController();

  /** Begins to read the issuer's document. */
  constructor(issuer: ConfiguredIssuer, options: IssuerAuthenticatorOptions) {
    const { audiences, certificateAuthority, discoveryURL, egress, groups, url } = issuer;
    this.#issuer = issuer;
    this.#options = options;
    this.#client = new IssuerClient(
      certificateAuthority,
      egress === undefined ? undefined : options.egress?.dial(egress),
    );
    const shared = { ...options, audiences, client: this.#client, signal: this.#ended.signal };
    this.#verifier = new IssuerVerifier({ ...shared, issuer: url, discoveryURL });
    this.#distributed = groups?.kind === 'claim' ? new DistributedClaims(groups.claim, shared) : undefined;
  }

  /** Whether the issuer's document has been read; false when it was closed before. */
  initialized(): Promise<boolean> {
    return this.#verifier.initialized();
  }

  authenticateToken(token: string): Promise<AuthenticatedUser> | undefined {
    if (untrustedIssuer(token) !== this.#issuer.url) return undefined;
    return this.#authenticate(token);
  }

  close(): void {
    this.#ended.abort();
    this.#client.close();
  }

  async #authenticate(token: string): Promise<AuthenticatedUser> {
    const { clock, metrics } = this.#options;
    const started = clock.now();
    const count = (result: 'success' | 'failure'): void => {
      metrics.authenticated(this.#issuer.url, result, (clock.now() - started) / 1000);
    };
    try {
      const user = mapClaims(await this.#claimsOf(token), this.#issuer);
      count('success');
      return { user };
    } catch (error) {
      count('failure');
      throw error;
    }
  }

  async #claimsOf(token: string): ReturnType<DistributedClaims['expand']> {
    const verified = this.#verifier.verify(token);
    if (verified === undefined) throw refusal('oidc: authenticator not initialized');
    const claims = await verified.catch((error: unknown) => {
      throw refusal(`oidc: verify token: ${messageOf(error)}`);
    });
    return (
      this.#distributed?.expand(claims).catch((error: unknown) => {
        throw refusal(`oidc: could not expand distributed claims: ${messageOf(error)}`);
      }) ?? claims
    );
  }
}

function refusal(text: string): AuthenticationError {
  return new AuthenticationError('InvalidToken', text);
}
