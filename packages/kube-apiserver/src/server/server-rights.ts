import type { GroupVersionKind } from '@kubechain/apimachinery';
import type { Authorizer, RuleResolver, TokenAuthenticator } from '@kubechain/apiserver/resources';
import type { GenericServer } from '@kubechain/apiserver/servers';

/**
 * What storages ask about rights, identities and policies of the server that they are part of. Storages check rights,
 * and rights follow storages: each sees the other through this, which holds nothing until the server is put together.
 */
export class ServerRights {
  #server: GenericServer | undefined;

  /** Called once, before the first request. */
  found(server: GenericServer): void {
    this.#server = server;
  }

  readonly authorizer: Authorizer = {
    authorize: (attributes) => this.#known().security.authorization.authorizer.authorize(attributes),
  };

  readonly ruleResolver: RuleResolver = {
    rulesFor: (user, namespace) => this.#known().security.authorization.ruleResolver.rulesFor(user, namespace),
  };

  readonly tokenAuthenticator: TokenAuthenticator = {
    authenticateToken: (token, options) =>
      this.#known().security.authentication.reviewToken(token, options?.audiences ?? []),
  };

  /** The resource whose objects are of a kind, custom resources included; undefined for unknown kinds. */
  readonly resourceOfKind = async (kind: GroupVersionKind): Promise<string | undefined> =>
    (await this.#known().admission.policies.resourceOf(kind))?.resource;

  #known(): GenericServer {
    if (this.#server === undefined) throw new TypeError('asked for rights before the server was put together');
    return this.#server;
  }
}
