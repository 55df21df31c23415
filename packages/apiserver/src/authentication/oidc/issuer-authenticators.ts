import { unionTokenAuthenticator } from '../union.ts';
import type { AuthenticatedUser, TokenAuthenticator } from '../authenticator.ts';
import type { ConfiguredIssuer } from './configured-issuer.ts';
import { IssuerAuthenticator, type IssuerAuthenticatorOptions } from './issuer-authenticator.ts';

/** How long what was replaced may still answer those who asked it before. */
const graceMs = 60_000;

/** Takes tokens of a set of issuers, which another set can replace. */
export class IssuerAuthenticators implements TokenAuthenticator {
  readonly #options: IssuerAuthenticatorOptions;
  #current: IssuerSet;
  #next: IssuerSet | undefined;

  constructor(issuers: readonly ConfiguredIssuer[], options: IssuerAuthenticatorOptions) {
    this.#options = options;
    this.#current = new IssuerSet(issuers, options);
  }

  authenticateToken(token: string): ReturnType<TokenAuthenticator['authenticateToken']> {
    return this.#current.authenticateToken(token);
  }

  /**
   * Replaces the issuers as soon as the documents of all new ones have been read. Resolves to false when another
   * replacement, or the end, came before.
   */
  async replace(issuers: readonly ConfiguredIssuer[]): Promise<boolean> {
    this.#next?.close();
    const next = new IssuerSet(issuers, this.#options);
    this.#next = next;
    if (!(await next.initialized()) || this.#next !== next) return false;
    const replaced = this.#current;
    this.#current = next;
    this.#next = undefined;
    this.#options.clock.setTimer(() => {
      replaced.close();
    }, graceMs);
    return true;
  }

  close(): void {
    this.#next?.close();
    this.#next = undefined;
    this.#current.close();
  }
}

class IssuerSet {
  readonly #members: readonly IssuerAuthenticator[];
  readonly #union: TokenAuthenticator;

  constructor(issuers: readonly ConfiguredIssuer[], options: IssuerAuthenticatorOptions) {
    this.#members = issuers.map((issuer) => new IssuerAuthenticator(issuer, options));
    // Each issuer is there once: a bad token of one is nobody else's.
    this.#union = unionTokenAuthenticator(this.#members, { failOnError: true });
  }

  async initialized(): Promise<boolean> {
    return (await Promise.all(this.#members.map((member) => member.initialized()))).every(Boolean);
  }

  authenticateToken(token: string): AuthenticatedUser | undefined | Promise<AuthenticatedUser | undefined> {
    return this.#union.authenticateToken(token);
  }

  close(): void {
    for (const member of this.#members) member.close();
  }
}
