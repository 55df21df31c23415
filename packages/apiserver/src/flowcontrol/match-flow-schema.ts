import type {
  GroupSubject,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  ServiceAccountSubject,
  UserSubject,
} from '@kubechain/apimachinery/types/flowcontrol/v1';
import type { UserInfo } from '../request/user-info.ts';
import type { RequestInfo } from '../request/request-context.ts';

/** Whether a request is of a schema. */
export type FlowMatcher = (info: RequestInfo, user: UserInfo) => boolean;

type Matches<T> = (value: T) => boolean;

/** A list of a stored object: Go writes null for one that is empty. */
type Stored<T> = readonly T[] | null | undefined;

/** Who a rule is about; the published schema's `Subject` is a union without the fields. */
interface FlowSubject {
  readonly kind?: string;
  readonly user?: UserSubject;
  readonly group?: GroupSubject;
  readonly serviceAccount?: ServiceAccountSubject;
}

/**
 * Turns the rules of a schema into functions, once, so that a request costs look-ups (util/flowcontrol/rule.go, 1.36).
 */
export function compileRules(rules: Stored<PolicyRulesWithSubjects>): FlowMatcher {
  const compiled = (rules ?? []).map(({ subjects, resourceRules, nonResourceRules }) => ({
    subject: matchSubjects(subjects as unknown as Stored<FlowSubject>),
    resource: anyOf(resourceRules, matchResourceRule),
    nonResource: anyOf(nonResourceRules, matchNonResourceRule),
  }));
  return (info, user) => {
    for (const { subject, resource, nonResource } of compiled)
      if ((info.isResourceRequest ? resource(info) : nonResource(info)) && subject(user)) return true;
    return false;
  };
}

/** Names and groups of all subjects in two sets: most schemas are decided by one look-up. */
function matchSubjects(subjects: Stored<FlowSubject>): Matches<UserInfo> {
  const users = new Set<string>();
  const groups = new Set<string>();
  const prefixes: string[] = [];
  for (const { kind, user, group, serviceAccount } of subjects ?? []) {
    if (kind === 'User' && user !== undefined) users.add(user.name);
    else if (kind === 'Group' && group !== undefined) groups.add(group.name);
    else if (kind === 'ServiceAccount' && serviceAccount !== undefined) {
      const prefix = `system:serviceaccount:${serviceAccount.namespace}:`;
      if (serviceAccount.name === '*') prefixes.push(prefix);
      else users.add(prefix + serviceAccount.name);
    }
  }
  if (users.has('*') || groups.has('*')) return () => true;
  return ({ name, groups: own }) => {
    if (users.has(name)) return true;
    if (groups.size > 0) for (const group of own) if (groups.has(group)) return true;
    for (const prefix of prefixes) if (name.startsWith(prefix)) return true;
    return false;
  };
}

function matchResourceRule({
  verbs,
  apiGroups,
  resources,
  clusterScope = false,
  namespaces,
}: ResourcePolicyRule): Matches<RequestInfo> {
  const verb = oneOf(verbs);
  const group = oneOf(apiGroups);
  const resource = oneOf(resources);
  const all = resource === everything;
  const namespace = oneOf(namespaces);
  return (info) =>
    verb(info.verb) &&
    group(info.apiGroup) &&
    (info.namespace === '' ? clusterScope : namespace(info.namespace)) &&
    (all || resource(info.subresource === '' ? info.resource : `${info.resource}/${info.subresource}`));
}

function matchNonResourceRule({ verbs, nonResourceURLs }: NonResourcePolicyRule): Matches<RequestInfo> {
  const verb = oneOf(verbs);
  const url = anyOf(nonResourceURLs, matchPath);
  return ({ verb: asked, path }) => verb(asked) && url(path);
}

/** A path stands for itself and for everything below it, with or without a star at its end. */
function matchPath(rule: string): Matches<string> {
  if (rule === '*') return everything;
  const trimmed = rule.endsWith('*') ? rule.slice(0, -1) : rule;
  const prefix = trimmed.endsWith('/') ? trimmed : `${trimmed}/`;
  return (path) => path === rule || path.startsWith(prefix);
}

const everything = (): boolean => true;

/** A star alone stands for all; among others it is a name, as upstream has it. */
function oneOf(stored: Stored<string>): Matches<string> {
  const values = stored ?? [];
  if (values.length === 1 && values[0] === '*') return everything;
  if (values.length === 1) return (value) => value === values[0];
  const set = new Set(values);
  return (value) => set.has(value);
}

function anyOf<T, Rule>(rules: Stored<Rule>, compile: (rule: Rule) => Matches<T>): Matches<T> {
  const matchers = (rules ?? []).map(compile);
  const [only] = matchers;
  if (matchers.length === 1 && only !== undefined) return only;
  return (value) => {
    for (const matches of matchers) if (matches(value)) return true;
    return false;
  };
}
