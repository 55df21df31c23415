import { goQuote, isPlainObject, messageOf } from '@kubechain/apimachinery';
import { AuthenticationError } from '../authentication-error.ts';
import { hasClaim, type Claims } from './claims.ts';
import type { IssuerClient } from './issuer-client.ts';
import { IssuerVerifier, type IssuerVerifierOptions } from './issuer-verifier.ts';
import { untrustedIssuer } from './token-verifier.ts';

/** Issuers of claims that are remembered; a token of yet another is not believed. */
const maxIssuers = 64;

/**
 * Fetches a claim that a token only says the place of (`_claim_names`, `_claim_sources`): OpenID Connect Core 1.0,
 * section 5.6.2, as the claimResolver of kube-apiserver 1.36.
 */
export class DistributedClaims {
  readonly #claim: string;
  readonly #options: Omit<IssuerVerifierOptions, 'issuer' | 'discoveryURL'>;
  readonly #verifiers = new Map<string, IssuerVerifier>();

  /** @param claim the one that is fetched */
  constructor(claim: string, options: Omit<IssuerVerifierOptions, 'issuer' | 'discoveryURL'>) {
    this.#claim = claim;
    this.#options = options;
  }

  /** The claims with the one that was elsewhere. @throws AuthenticationError `InvalidToken` */
  async expand(claims: Claims): Promise<Claims> {
    const claim = this.#claim;
    if (hasClaim(claims, claim) || !hasClaim(claims, '_claim_names')) return claims;
    const names = claims['_claim_names'];
    if (!isPlainObject(names)) throw refusal('oidc: error parsing distributed claim names: they are no object');
    if (!hasClaim(claims, '_claim_sources')) throw refusal('oidc: no claim sources');
    const sources = claims['_claim_sources'];
    if (!isPlainObject(sources)) throw refusal('oidc: could not parse claim sources: they are no object');
    const source = names[claim];
    if (typeof source !== 'string') return claims;
    const place = sources[source];
    if (!isPlainObject(place))
      throw refusal(`id token _claim_names contained a source ${source} missing in _claims_sources`);
    const { access_token: bearer, endpoint } = place;
    if (typeof endpoint !== 'string' || endpoint === '') return claims;
    return { ...claims, [claim]: await this.#fetch(endpoint, typeof bearer === 'string' ? bearer : '') };
  }

  async #fetch(endpoint: string, bearer: string): Promise<unknown> {
    const claim = this.#claim;
    const token = await claimToken(this.#options.client, endpoint, bearer).catch((error: unknown) => {
      throw refusal(`while getting distributed claim ${goQuote(claim)}: ${messageOf(error)}`);
    });
    const issuer = untrustedIssuer(token);
    if (issuer === undefined)
      throw refusal(
        `getting untrusted issuer from endpoint ${endpoint} failed for claim ${goQuote(claim)}: malformed token`,
      );
    const verified = this.#verifierOf(issuer)?.verify(token);
    if (verified === undefined)
      throw refusal(
        `verifying untrusted issuer ${issuer} failed: verifier not initialized for issuer: ${goQuote(issuer)}`,
      );
    const claims = await verified.catch((error: unknown) => {
      throw refusal(`verify distributed claim token: ${messageOf(error)}`);
    });
    if (!hasClaim(claims, claim))
      throw refusal(`jwt returned by distributed claim endpoint ${goQuote(endpoint)} did not contain claim: ${claim}`);
    return claims[claim];
  }

  #verifierOf(issuer: string): IssuerVerifier | undefined {
    let verifier = this.#verifiers.get(issuer);
    if (verifier === undefined && this.#verifiers.size < maxIssuers) {
      verifier = new IssuerVerifier({ ...this.#options, issuer });
      this.#verifiers.set(issuer, verifier);
    }
    return verifier;
  }
}

async function claimToken(client: IssuerClient, endpoint: string, bearer: string): Promise<string> {
  const { body, status, statusText } = await client.get(endpoint, bearer);
  if (status < 200 || status > 226) throw refusal(`error while getting distributed claim JWT: ${statusText}`);
  return body;
}

function refusal(text: string): AuthenticationError {
  return new AuthenticationError('InvalidToken', text);
}
