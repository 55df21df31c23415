import type { Clock } from '@kubechain/apimachinery';
import { boundClaims, type TokenSubject } from './claims.ts';
import type { ExternalSigner } from './external-signer.ts';
import type { GeneratesTokens, IssuedToken } from './token-generator.ts';

export interface ExternalTokenGeneratorOptions {
  readonly issuer: string;
  readonly signer: ExternalSigner;
  readonly clock: Clock;
  /** The token's own id: a random uuid. */
  readonly newID: () => string;
}

/** Issues bound service account tokens that another program signs. */
export class ExternalTokenGenerator implements GeneratesTokens {
  readonly #options: ExternalTokenGeneratorOptions;
  constructor(options: ExternalTokenGeneratorOptions) {
    this.#options = options;
  }

  /** @throws ExternalSignerError */
  async generate(subject: TokenSubject): Promise<IssuedToken> {
    const { issuer, signer, clock, newID } = this.#options;
    const id = newID();
    const claims = boundClaims(subject, { clock, id });
    const token = await signer.sign({ ...claims, iss: issuer });
    return { token, id, expiresAtMs: (claims['exp'] as number) * 1000 };
  }
}
