import type { Clock } from '@kubechain/apimachinery';
import { boundClaims, type TokenSubject } from './claims.ts';
import { signJWT } from './jwt.ts';
import type { SigningKey } from './keys.ts';

export interface TokenGeneratorOptions {
  readonly issuer: string;
  readonly key: SigningKey;
  readonly clock: Clock;
  /** The token's own id: a random uuid. */
  readonly newID: () => string;
}

/** A signed token and when it ends. */
export interface IssuedToken {
  readonly token: string;
  /** `jti`, for the audit annotation authentication.kubernetes.io/issued-credential-id (`JTI=…`). */
  readonly id: string;
  readonly expiresAtMs: number;
}

/** Issues tokens. */
export interface GeneratesTokens {
  /** @throws Error where the signer does not sign */
  generate(subject: TokenSubject): IssuedToken | Promise<IssuedToken>;
}

/**
 * Issues bound service account tokens: what serves serviceaccounts/token calls. Source: pkg/serviceaccount
 * JWTTokenGenerator.
 */
export class TokenGenerator implements GeneratesTokens {
  readonly #options: TokenGeneratorOptions;
  constructor(options: TokenGeneratorOptions) {
    this.#options = options;
  }

  generate(subject: TokenSubject): IssuedToken {
    const { issuer, key, clock, newID } = this.#options;
    const id = newID();
    const claims = boundClaims(subject, { clock, id });
    return { token: signJWT({ ...claims, iss: issuer }, key), id, expiresAtMs: (claims['exp'] as number) * 1000 };
  }
}
