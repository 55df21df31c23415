import { goQuote, messageOf, sleep, type TimerClock } from '@kubechain/apimachinery';
import { Logger } from '../../logging/logger.ts';
import type { Claims } from './claims.ts';
import { discoverKeys } from './discover.ts';
import type { IssuerClient } from './issuer-client.ts';
import type { JWTMetrics } from './jwt-metrics.ts';
import { KeySet } from './key-set.ts';
import { verifyToken } from './token-verifier.ts';

const log = new Logger('oidc');

/** Between two attempts to read an issuer's document. */
const attemptMs = 10_000;

export interface IssuerVerifierOptions {
  readonly issuer: string;
  readonly discoveryURL?: string;
  readonly audiences: readonly string[];
  readonly algorithms: readonly string[];
  readonly client: IssuerClient;
  readonly clock: TimerClock;
  readonly metrics: JWTMetrics;
  /** Ends the attempts. */
  readonly signal: AbortSignal;
}

/**
 * Checks tokens of an issuer as soon as its document could be read. Attempts go on in the background: an issuer may run
 * on this very cluster.
 */
export class IssuerVerifier {
  readonly #options: IssuerVerifierOptions;
  readonly #attempts: Promise<void>;
  #keys: KeySet | undefined;
  #problem: string;

  constructor(options: IssuerVerifierOptions) {
    this.#options = options;
    this.#problem = `oidc: authenticator for issuer ${goQuote(options.issuer)} is not initialized`;
    this.#attempts = this.#attempt();
  }

  /** Whether its document has been read; false when it was given up. */
  async initialized(): Promise<boolean> {
    await this.#attempts;
    return this.#keys !== undefined;
  }

  /** What has kept its document from being read; undefined when it has been. */
  get problem(): string | undefined {
    return this.#keys === undefined ? this.#problem : undefined;
  }

  /** Undefined before it is ready. Rejects with AuthenticationError for a bad token. */
  verify(token: string): Promise<Claims> | undefined {
    const { algorithms, audiences, clock, issuer } = this.#options;
    const keys = this.#keys;
    return keys === undefined ? undefined : verifyToken(token, { algorithms, audiences, clock, issuer, keys });
  }

  async #attempt(): Promise<void> {
    const { client, clock, discoveryURL, issuer, metrics, signal } = this.#options;
    while (!signal.aborted) {
      try {
        const url = await discoverKeys(client, issuer, discoveryURL);
        this.#keys = new KeySet({ client, clock, issuer, metrics, url });
        return;
      } catch (error) {
        this.#problem = messageOf(error);
        if (!signal.aborted) log.error('oidc authenticator: initializing plugin', { issuer, error: this.#problem });
      }
      await sleep(clock, attemptMs, signal);
    }
  }
}
