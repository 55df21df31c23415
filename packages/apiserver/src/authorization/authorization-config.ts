import { unusableFlag } from '../options/options-error.ts';
import { PRIVILEGED_GROUP } from '../authentication/well-known-users.ts';
import { alwaysAllow, alwaysDeny } from './always.ts';
import type { PolicyList } from './abac/policy-list.ts';
import { alwaysAllowPaths } from './always-allow-paths.ts';
import type { AuthorizationResult, Authorizer, RuleResolver } from './authorizer.ts';
import type { AuthorizationMetrics } from './authorization-metrics.ts';
import { AuthorizationConfigurationError } from './configuration/authorization-configuration-error.ts';
import type { ConfiguredAuthorizer, ConfiguredWebhook } from './configuration/configured-authorizer.ts';
import { NodeAuthorizer } from './node/node-authorizer.ts';
import type { NodeGraph } from './node/node-graph.ts';
import type { PolicyRule } from './rbac/rbac-objects.ts';
import { RBACAuthorizer } from './rbac/rbac-authorizer.ts';
import type { RoleStore } from './rbac/role-store.ts';
import { privilegedGroups } from './privileged-groups.ts';
import { unionAuthorizer, unionRuleResolver } from './union.ts';

/** --authorization-mode values. */
export type AuthorizationMode = ConfiguredAuthorizer['type'];

const MODES: readonly string[] = ['AlwaysAllow', 'AlwaysDeny', 'ABAC', 'Webhook', 'RBAC', 'Node'];

/** What authorizers look things up in; each asks only for its own. */
export interface AuthorizerSources {
  readonly roles?: RoleStore;
  readonly nodes?: {
    readonly graph: NodeGraph;
    readonly rules: readonly PolicyRule[];
    /** As of NodeAuthorizer. */
    readonly known?: () => Promise<void> | undefined;
  };
  readonly policies?: PolicyList;
  /** Makes the authorizer of a webhook. */
  readonly webhookOf?: (name: string, webhook: ConfiguredWebhook) => Authorizer;
}

/** Who is asked, in order. */
export interface AuthorizationConfig extends AuthorizerSources {
  readonly authorizers: readonly ConfiguredAuthorizer[];
  /** --authorization-always-allow-paths. */
  readonly alwaysAllowPaths?: readonly string[];
  readonly metrics?: AuthorizationMetrics;
  /** Reasons say whose they are: since 1.37. Default false. */
  readonly namesReasons?: boolean;
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
 * The given authorizers in their order, after the members of system:masters and the always allowed paths.
 * @throws AuthorizationConfigurationError for one that what is needed for is not there: it was not followed from the
 * start
 * Source: pkg/kubeapiserver/authorizer, apiserver/pkg/server DefaultBuildHandlerChain.
 */
export function newAuthorization(config: AuthorizationConfig): Authorization {
  const { alwaysAllowPaths: paths = [], metrics } = config;
  const authorizers: Authorizer[] = [privilegedGroups([PRIVILEGED_GROUP])];
  const names = ['kubernetes.io/system-privileged-group'];
  const resolvers: RuleResolver[] = [];
  if (paths.length > 0) {
    authorizers.push(alwaysAllowPaths(paths));
    names.push('');
  }
  for (const configured of config.authorizers) {
    const member = authorizerFor(configured, config);
    authorizers.push(metrics === undefined ? member : counting(member, configured, metrics));
    names.push(configured.name);
    resolvers.push(member);
  }
  return {
    authorizer: unionAuthorizer(authorizers, config.namesReasons === true ? names : undefined),
    ruleResolver: unionRuleResolver(resolvers),
  };
}

/** Counts what an authorizer decides. */
function counting(member: Authorizer, { name, type }: ConfiguredAuthorizer, metrics: AuthorizationMetrics): Authorizer {
  const decided = metrics.decisionsOf(type, name);
  const count = (result: AuthorizationResult): AuthorizationResult => {
    decided(result.decision);
    return result;
  };
  return {
    authorize(attributes) {
      const outcome = member.authorize(attributes);
      return outcome instanceof Promise ? outcome.then(count) : count(outcome);
    },
  };
}

function authorizerFor(configured: ConfiguredAuthorizer, sources: AuthorizerSources): Authorizer & RuleResolver {
  switch (configured.type) {
    case 'AlwaysAllow':
      return alwaysAllow;
    case 'AlwaysDeny':
      return alwaysDeny;
    case 'ABAC':
      return sources.policies ?? refuseLate(configured.type);
    case 'RBAC':
      return sources.roles === undefined ? refuseLate(configured.type) : new RBACAuthorizer(sources.roles);
    case 'Node':
      return sources.nodes === undefined
        ? refuseLate(configured.type)
        : new NodeAuthorizer(sources.nodes.graph, sources.nodes.rules, sources.nodes.known);
    case 'Webhook': {
      const { name, webhook } = configured;
      const { webhookOf } = sources;
      return webhookOf === undefined ? refuseLate(configured.type) : { ...webhookOf(name, webhook), rulesFor: noRules };
    }
    default:
      return configured satisfies never;
  }
}

function refuseLate(type: string): never {
  throw new AuthorizationConfigurationError(
    `authorizer type ${type} is not allowed if it was not enabled at initial server startup`,
  );
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
