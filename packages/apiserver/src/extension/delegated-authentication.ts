import type { IncomingMessage } from 'node:http';
import type { KubeObject, TimerClock } from '@kubechain/apimachinery';
import { messageOf, sleep } from '@kubechain/apimachinery';
import { anonymousAuthenticator } from '../authentication/anonymous.ts';
import { authenticatedGroupAdder } from '../authentication/authenticated-group-adder.ts';
import type { AuthenticatedUser, RequestAuthenticator } from '../authentication/authenticator.ts';
import { requestHeaderAuthenticator } from '../authentication/request-header/request-header.ts';
import { bearerTokenAuthenticator } from '../authentication/token/bearer-token.ts';
import { cachedTokenAuthenticator } from '../authentication/token/token-cache.ts';
import { unionRequestAuthenticator } from '../authentication/union.ts';
import { CertificatePool } from '../authentication/x509/certificate-pool.ts';
import { clientCertificateGuard, x509Authenticator } from '../authentication/x509/x509-authenticator.ts';
import { Logger } from '../logging/logger.ts';
import { OptionsError } from '../options/options-error.ts';
import type { KubeClient } from '../rest-client/kube-client.ts';
import { tokenReviewAuthenticator } from '../authentication/token/token-review.ts';

const log = new Logger('delegated-authentication');

/** Where the main API server publishes its certificate authorities and the names of its identity headers. */
const published = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';
/** Authorities are replaced weeks before the old ones end. */
const refreshMs = 60_000;
const tokenTTLMs = 10_000;

/**
 * Who callers of an extension server are, by what the main API server says
 * (apiserver/pkg/server/options/authentication.go, 1.36): the front proxy's word on them, when it shows its
 * certificate; client certificates of the cluster's authority; bearer tokens, by TokenReview; anybody else is
 * anonymous.
 */
export class DelegatedAuthentication implements RequestAuthenticator {
  readonly #client: KubeClient;
  readonly #clock: TimerClock;
  readonly #tokens: RequestAuthenticator;
  #known = '';
  #current: RequestAuthenticator;

  private constructor(client: KubeClient, clock: TimerClock) {
    this.#client = client;
    this.#clock = clock;
    this.#tokens = bearerTokenAuthenticator(
      cachedTokenAuthenticator(tokenReviewAuthenticator(client), { successTTLMs: tokenTTLMs, clock }),
    );
    this.#current = this.#tokens;
  }

  /**
   * Resolves when the main server has answered once. @throws OptionsError when it does not until `signal` aborts, or
   * has nothing to say
   */
  static async open(client: KubeClient, clock: TimerClock, signal: AbortSignal): Promise<DelegatedAuthentication> {
    const authentication = new DelegatedAuthentication(client, clock);
    try {
      await authentication.#refresh(signal);
    } catch (cause) {
      throw new OptionsError(
        'InvalidValue',
        `--kubeconfig: cannot read what requests are authenticated with: ${messageOf(cause)}`,
        { cause },
      );
    }
    void authentication.#follow(signal);
    return authentication;
  }

  authenticate(request: IncomingMessage): AuthenticatedUser | undefined | Promise<AuthenticatedUser | undefined> {
    return this.#current.authenticate(request);
  }

  async #follow(signal: AbortSignal): Promise<void> {
    for (;;) {
      await sleep(this.#clock, refreshMs, signal);
      if (signal.aborted) return;
      try {
        await this.#refresh(signal);
      } catch (error) {
        if (!signal.aborted)
          log.warning('certificate authorities cannot be read; the old ones stay', {
            err: messageOf(error),
          });
      }
    }
  }

  async #refresh(signal: AbortSignal): Promise<void> {
    const { data = {} } = (await this.#client.get(published, signal)) as KubeObject & {
      readonly data?: Readonly<Record<string, string>>;
    };
    const text = JSON.stringify(data);
    if (text === this.#known) return;
    this.#current = this.#union(data);
    this.#known = text;
  }

  #union(data: Readonly<Record<string, string>>): RequestAuthenticator {
    const members: RequestAuthenticator[] = [];
    const proxyCA = data['requestheader-client-ca-file'];
    if (proxyCA !== undefined) {
      const names = (field: string): string[] => JSON.parse(data[`requestheader-${field}`] ?? '[]') as string[];
      const headers = (field: string): string[] => names(field).map((name) => name.toLowerCase());
      const pool = new CertificatePool(proxyCA);
      members.push(
        clientCertificateGuard(
          { pool: () => pool, allowedNames: names('allowed-names'), clock: this.#clock },
          requestHeaderAuthenticator({
            username: headers('username-headers'),
            uid: headers('uid-headers'),
            group: headers('group-headers'),
            extraPrefixes: headers('extra-headers-prefix'),
          }),
        ),
      );
    }
    const clientCA = data['client-ca-file'];
    if (clientCA !== undefined) {
      const pool = new CertificatePool(clientCA);
      members.push(x509Authenticator(() => pool, this.#clock));
    }
    const known = authenticatedGroupAdder(unionRequestAuthenticator([...members, this.#tokens]));
    return unionRequestAuthenticator([known, anonymousAuthenticator({})], { failOnError: true });
  }
}
