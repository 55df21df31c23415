import { isDeepStrictEqual } from 'node:util';
import { forbidden, notFound, StatusError, type KubeObject } from '@kubechain/apimachinery';
import { Stepwise } from '../../request/stepwise.ts';
import { checkKeyParameters } from '../../registry/generic/key-parameters.ts';
import { overriding } from '../../registry/rest/overriding.ts';
import type { RESTContext, RESTStorage, UpdatedObjectInfo } from '../../registry/rest/storage.ts';
import type { Authorizer } from '../authorizer.ts';
import {
  AGGREGATION_FORBIDDEN,
  bindingAuthorized,
  escalationAllowed,
  findEscalation,
  mayAggregate,
  roleEscalationAuthorized,
  type Grant,
} from './escalation.ts';
import { RBAC_GROUP, type PolicyRule, type RoleBindingObject, type RoleObject } from './rbac-objects.ts';
import { readRoleStore, type RoleStorages } from './role-feeds.ts';
import type { RoleStore } from './role-store.ts';

export interface GuardOptions {
  readonly authorizer: Authorizer;
  /**
   * Read afresh for each check, so that what was granted or taken a moment ago counts. Asked for when a request is
   * served.
   */
  readonly roles: () => RoleStorages;
}

/** Throws when this user must not write this object. `old` is absent on create. */
type Check = (context: RESTContext, object: KubeObject, old: KubeObject | undefined) => Promise<void>;

/**
 * Lets nobody write a role that grants more than they have, unless they may `escalate`.
 * Source: pkg/registry/rbac/{role,clusterrole}/policybased.
 */
export function guardRoles<S extends RESTStorage>(
  store: S,
  resource: 'roles' | 'clusterroles',
  options: GuardOptions,
): S {
  const groupResource = { group: RBAC_GROUP, resource };
  return guarded(store, async (context, object, old) => {
    const { user, requestInfo } = context.request;
    if (
      await roleEscalationAuthorized(options.authorizer, {
        user,
        resource,
        name: requestInfo.name,
        namespace: requestInfo.namespace,
      })
    )
      return;
    const role = object as RoleObject;
    const name = role.metadata.name ?? '';
    const held = await readRoleStore(options.roles(), context.request.signal);
    await assertHeld(context, held, {
      groupResource,
      name,
      namespace: context.namespace,
      rules: (role.rules ?? []).map(withVerbs),
    });
    if ((hasAggregationRule(role) || hasAggregationRule(old)) && !mayAggregate(held, user))
      throw forbidden(groupResource, name, AGGREGATION_FORBIDDEN);
  });
}

/**
 * Lets nobody bind a role that grants more than they have, unless they may `bind` it.
 * Source: pkg/registry/rbac/{rolebinding,clusterrolebinding}/policybased.
 */
export function guardBindings<S extends RESTStorage>(
  store: S,
  resource: 'rolebindings' | 'clusterrolebindings',
  options: GuardOptions,
): S {
  const groupResource = { group: RBAC_GROUP, resource };
  return guarded(store, async (context, object) => {
    const { user } = context.request;
    const { namespace } = context;
    const { metadata, roleRef } = object as RoleBindingObject;
    if (await bindingAuthorized(options.authorizer, { user, roleRef, namespace })) return;
    const held = await readRoleStore(options.roles(), context.request.signal);
    const rules = held.roleReferenceRules(roleRef, namespace);
    if ('missing' in rules) {
      if (roleRef.kind === 'Role' || roleRef.kind === 'ClusterRole') {
        checkKeyParameters({ namespaced: roleRef.kind === 'Role', namespace, name: roleRef.name });
        // Named after the request's resource, as the reference's registry does, not after the role's.
        throw notFound(groupResource, roleRef.name);
      }
      throw new StatusError({ status: 'Failure', message: rules.missing, code: 500 });
    }
    await assertHeld(context, held, { groupResource, name: metadata.name ?? '', namespace, rules });
  });
}

/** Rules are checked for verbs only when the role is validated, which comes later. */
function withVerbs(rule: PolicyRule): PolicyRule {
  return (rule.verbs as PolicyRule['verbs'] | undefined) === undefined ? { ...rule, verbs: [] } : rule;
}

interface NamedGrant extends Grant {
  readonly groupResource: { readonly group: string; readonly resource: string };
  readonly name: string;
}

async function assertHeld(
  { request, turns }: RESTContext,
  held: RoleStore,
  { groupResource, name, ...grant }: NamedGrant,
): Promise<void> {
  const { message } = await new Stepwise(findEscalation(held, request.user, grant)).make(() => turns?.next());
  if (message !== undefined) throw forbidden(groupResource, name, message);
}

function hasAggregationRule(role: KubeObject | undefined): boolean {
  const selectors = (role as RoleObject | undefined)?.aggregationRule?.clusterRoleSelectors;
  return selectors !== undefined && selectors !== null && selectors.length > 0;
}

/** The store itself, with `create` and `update` checked first. */
function guarded<S extends RESTStorage>(store: S, check: Check): S {
  return overriding(store, {
    create: async (...args) => {
      const [context, , object] = args;
      if (!escalationAllowed(context.request.user)) await check(context, object, undefined);
      return store.create!(...args);
    },
    update: (...args) => {
      const [context, name, info, ...rest] = args;
      return store.update!(
        context,
        name,
        escalationAllowed(context.request.user) ? info : checkedInfo(info, check),
        ...rest,
      );
    },
  });
}

function checkedInfo(info: UpdatedObjectInfo, check: Check): UpdatedObjectInfo {
  return {
    preconditions: info.preconditions,
    async updatedObject(context, old) {
      const before = structuredClone(old);
      const object = await info.updatedObject(context, old);
      if (!onlyGarbageCollectionFields(object, before)) await check(context, object, before);
      return object;
    },
  };
}

/**
 * The garbage collector may always take finalizers and owners off. Source: pkg/registry/rbac IsOnlyMutatingGCFields.
 */
function onlyGarbageCollectionFields(object: KubeObject, old: KubeObject): boolean {
  const stripped = ({ metadata, ...rest }: KubeObject): object => {
    const {
      ownerReferences: _owners,
      finalizers: _finalizers,
      managedFields: _managed,
      selfLink: _link,
      ...others
    } = metadata ?? {};
    return { ...rest, metadata: others };
  };
  return isDeepStrictEqual(stripped(object), stripped(old));
}
