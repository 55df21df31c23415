import { unusableFlag } from '../options/options-error.ts';
import { PRIVILEGED_GROUP } from '../authentication/well-known-users.ts';
import { alwaysAllow, alwaysDeny } from './always.ts';
import type { PolicyList } from './abac/policy-list.ts';
import { alwaysAllowPaths } from './always-allow-paths.ts';
import type { Authorizer, RuleResolver } from './authorizer.ts';
import { NodeAuthorizer } from './node/node-authorizer.ts';
import type { NodeGraph } from './node/node-graph.ts';
import type { PolicyRule } from './rbac/rbac-objects.ts';
import { RBACAuthorizer } from './rbac/rbac-authorizer.ts';
import type { RoleStore } from './rbac/role-store.ts';
import { privilegedGroups } from './privileged-groups.ts';
import { unionAuthorizer, unionRuleResolver } from './union.ts';

/** --authorization-mode values. */
export type AuthorizationMode = 'ABAC' | 'AlwaysAllow' | 'AlwaysDeny' | 'Node' | 'RBAC' | 'Webhook';

const MODES: readonly string[] = ['AlwaysAllow', 'AlwaysDeny', 'ABAC', 'Webhook', 'RBAC', 'Node'];

/** What the modes look things up in; a mode asks only for its own. */
export interface AuthorizationConfig {
  readonly modes: readonly AuthorizationMode[];
  /** --authorization-always-allow-paths. */
  readonly alwaysAllowPaths?: readonly string[];
  readonly webhook?: Authorizer;
  readonly policies?: PolicyList;
  readonly roles?: RoleStore;
  readonly nodes?: { readonly graph: NodeGraph; readonly rules: readonly PolicyRule[] };
}

/** What the authorization filter, the review APIs and the escalation checks ask. */
export interface Authorization {
  readonly authorizer: Authorizer;
  readonly ruleResolver: RuleResolver;
}

/** The modes of a flag's value, checked. @throws OptionsError in one line */
export function parseAuthorizationModes(values: readonly string[]): AuthorizationMode[] {
  const seen = new Set<string>();
  for (const value of values) {
    if (!MODES.includes(value)) throw unusableFlag('authorization-mode', `"${value}" is not a valid mode`);
    if (seen.has(value))
      throw unusableFlag('authorization-mode', `["${values.join('" "')}"] has mode specified more than once`);
    seen.add(value);
  }
  if (seen.size === 0) throw unusableFlag('authorization-mode', 'at least one authorization-mode must be passed');
  return [...seen] as AuthorizationMode[];
}

/**
 * The authorizers of the given modes in their order, after the members of system:masters and the always allowed paths.
 * @throws OptionsError for a mode whose store is not there: a wiring mistake, told as the flag that asked for it
 * Source: pkg/kubeapiserver/authorizer, apiserver/pkg/server DefaultBuildHandlerChain.
 */
export function newAuthorization(config: AuthorizationConfig): Authorization {
  const authorizers: Authorizer[] = [privilegedGroups([PRIVILEGED_GROUP])];
  const resolvers: RuleResolver[] = [];
  if (config.alwaysAllowPaths !== undefined && config.alwaysAllowPaths.length > 0)
    authorizers.push(alwaysAllowPaths(config.alwaysAllowPaths));
  for (const mode of config.modes) {
    const member = authorizerFor(mode, config);
    authorizers.push(member);
    resolvers.push(member);
  }
  return { authorizer: unionAuthorizer(authorizers), ruleResolver: unionRuleResolver(resolvers) };
}

function authorizerFor(mode: AuthorizationMode, config: AuthorizationConfig): Authorizer & RuleResolver {
  switch (mode) {
    case 'AlwaysAllow':
      return alwaysAllow;
    case 'AlwaysDeny':
      return alwaysDeny;
    case 'ABAC':
      if (config.policies === undefined)
        throw unusableFlag(
          'authorization-policy-file',
          "authorization-mode ABAC's authorization policy file not passed",
        );
      return config.policies;
    case 'RBAC':
      if (config.roles === undefined) throw unusableFlag('authorization-mode', 'RBAC needs a store of roles');
      return new RBACAuthorizer(config.roles);
    case 'Node':
      if (config.nodes === undefined) throw unusableFlag('authorization-mode', 'Node needs a graph of nodes');
      return new NodeAuthorizer(config.nodes.graph, config.nodes.rules);
    case 'Webhook':
      if (config.webhook === undefined)
        throw unusableFlag(
          'authorization-webhook-config-file',
          "authorization-mode Webhook's authorization config file not passed",
        );
      return { ...config.webhook, rulesFor: noRules };
    default:
      return mode satisfies never;
  }
}

/** A webhook answers questions, and does not say which ones it would answer with yes. */
function noRules(): ReturnType<RuleResolver['rulesFor']> {
  return {
    resourceRules: [],
    nonResourceRules: [],
    incomplete: true,
    evaluationError: 'webhook authorizer does not support user rule resolution',
  };
}
