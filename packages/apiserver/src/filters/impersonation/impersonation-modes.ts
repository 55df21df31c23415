import { StatusError } from '@kubechain/apimachinery';
import type { UserInfo } from '../../request/user-info.ts';
import { splitServiceAccountUsername } from '../../authentication/service-account/username.ts';
import type { AuthorizationAttributes, Authorizer } from '../../authorization/authorizer.ts';
import { forbiddenError } from '../../authorization/forbidden.ts';
import { authorizeWantedUser, nodeOfUsername } from './impersonation-checks.ts';
import type { WantedUser } from './impersonation-headers.ts';

/** A way of being allowed to impersonate; '' is the legacy one, whose verb is `impersonate` alone. */
interface Mode {
  readonly name: string;
  applies(wanted: WantedUser, requester: UserInfo): boolean;
}

/** In the order in which they are tried (mode.go allImpersonationModes). */
const modes: readonly Mode[] = [
  { name: 'associated-node', applies: (wanted, requester) => onlyName(wanted) && isOwnNode(wanted, requester) },
  { name: 'arbitrary-node', applies: (wanted) => onlyName(wanted) && nodeOfUsername(wanted.name) !== undefined },
  {
    name: 'serviceaccount',
    applies: (wanted) => onlyName(wanted) && splitServiceAccountUsername(wanted.name) !== undefined,
  },
  {
    name: 'user-info',
    applies: (wanted) =>
      nodeOfUsername(wanted.name) === undefined && splitServiceAccountUsername(wanted.name) === undefined,
  },
  { name: '', applies: () => true },
];

/** Requesters whose last successful mode is remembered: about 1 MB. The least recently used is forgotten. */
const rememberedRequesters = 10_000;

/**
 * Decides on impersonation as the reference does since 1.36 (ConstrainedImpersonation): each mode asks whether the
 * requester may do this request as somebody else (`impersonate-on:<mode>:<verb>`) and be that user
 * (`impersonate:<mode>`); the legacy `impersonate` is the last. The mode that worked last for a requester goes first,
 * and the first error is the one that is told.
 */
export class ImpersonationModes {
  readonly #authorizer: Authorizer;
  readonly #lastMode = new Map<string, Mode>();

  constructor(authorizer: Authorizer) {
    this.#authorizer = authorizer;
  }

  /** The user to continue as, and by which constrained verb. @throws StatusError 403 */
  async impersonate(
    wanted: WantedUser,
    attributes: AuthorizationAttributes,
  ): Promise<{ readonly user: UserInfo; readonly constraint: string | undefined }> {
    const requester = attributes.user;
    const remembered = this.#lastMode.get(requester.name);
    const order = remembered === undefined ? modes : [remembered, ...modes.filter((mode) => mode !== remembered)];
    let firstError: StatusError | undefined;
    for (const mode of order) {
      if (!mode.applies(wanted, requester)) continue;
      try {
        const user = await this.#check(mode, wanted, attributes);
        this.#remember(requester.name, mode);
        return { user, constraint: mode.name === '' ? undefined : `impersonate:${mode.name}` };
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        firstError ??= error;
      }
    }
    throw firstError ?? forbiddenError(attributes, 'all impersonation modes failed');
  }

  async #check(mode: Mode, wanted: WantedUser, attributes: AuthorizationAttributes): Promise<UserInfo> {
    if (mode.name === '')
      return authorizeWantedUser(
        { authorizer: this.#authorizer, requester: attributes.user, verb: 'impersonate', constrained: false },
        wanted,
      );
    const authorizer = mode.name === 'associated-node' ? associatedNodeAuthorizer(this.#authorizer) : this.#authorizer;
    const on = { ...attributes, verb: `impersonate-on:${mode.name}:${attributes.verb}` };
    const { decision, reason } = await authorizer.authorize(on);
    if (decision !== 'Allow') throw forbiddenError(on, reason);
    return authorizeWantedUser(
      { authorizer, requester: attributes.user, verb: `impersonate:${mode.name}`, constrained: true },
      wanted,
    );
  }

  #remember(requester: string, mode: Mode): void {
    this.#lastMode.delete(requester);
    this.#lastMode.set(requester, mode);
    if (this.#lastMode.size > rememberedRequesters) {
      const [oldest] = this.#lastMode.keys();
      if (oldest !== undefined) this.#lastMode.delete(oldest);
    }
  }
}

function onlyName(wanted: WantedUser): boolean {
  return wanted.uid === '' && wanted.groups.length === 0 && wanted.extra.size === 0;
}

/** Whether the requester is a service account whose token is bound to a pod on the wanted node. */
function isOwnNode(wanted: WantedUser, requester: UserInfo): boolean {
  const node = nodeOfUsername(wanted.name);
  if (node === undefined || splitServiceAccountUsername(requester.name) === undefined) return false;
  const bound = requester.extra?.['authentication.kubernetes.io/node-name'];
  return bound?.length === 1 && bound[0] === node;
}

/** The own node is checked as any node, by a requester without the extras that differ from node to node. */
function associatedNodeAuthorizer(authorizer: Authorizer): Authorizer {
  return {
    authorize: (attributes) =>
      authorizer.authorize({
        ...attributes,
        name: attributes.verb === 'impersonate:associated-node' ? '*' : attributes.name,
        user: {
          ...attributes.user,
          extra: {
            'authentication.kubernetes.io/associated-node-keys': Object.keys(attributes.user.extra ?? {}).sort(),
          },
        },
      }),
  };
}
