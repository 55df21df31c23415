import type { ReleaseAge } from '@kubechain/apimachinery';
import { isDeepStrictEqual } from 'node:util';
import type { PolicyRule, RoleBindingObject, RoleObject } from '../rbac-objects.ts';
import type { BootstrapPolicy } from './bootstrap-policy.ts';
import { gatedPaths, gatedRoles, gatedRules, type GatedRole, type RoleGate } from './gated-rules.ts';

type IsOn = (gate: RoleGate) => boolean;
type Gated = Pick<GatedRole, 'gates' | 'since' | 'until'>;

/**
 * A release's roles, recorded with every feature gate as it is by default, as they are with these: with the roles and
 * rules that wait for gates, and without those of gates that are off.
 */
export function withGatedRoles(policy: BootstrapPolicy, isOn: IsOn, release: ReleaseAge): BootstrapPolicy {
  const ofRelease = ({ since, until }: Gated): boolean =>
    (since === undefined || release.since(since)) && (until === undefined || !release.since(until));
  const areOn = ({ gates }: Gated): boolean => gates.every(isOn);
  const roles = gatedRoles.filter(ofRelease);
  const names = new Set(roles.map(({ name }) => name));
  const known = new Set(policy.clusterRoles.map(({ metadata }) => metadata.name));
  const gone = new Set(roles.filter((role) => !areOn(role)).map(({ name }) => name));
  const added = roles.filter((role) => areOn(role) && !known.has(role.name));
  const rules = gatedRules.filter(ofRelease);
  const rulesOf = (role: RoleObject): RoleObject => {
    const name = role.metadata.name ?? '';
    const gated = rules.filter((row) => row.role === name);
    let all = role.rules ?? [];
    if (gated.length > 0) {
      const waiting = gated.flatMap((row) => row.rules);
      const always = all.filter((rule) => !waiting.some((other) => isDeepStrictEqual(rule, other)));
      all = [...always, ...gated.filter(areOn).flatMap((row) => row.rules)];
    }
    if (name === 'system:monitoring') all = withPaths(all, gatedPaths.filter(ofRelease), areOn);
    return isDeepStrictEqual(all, role.rules ?? []) ? role : { ...role, rules: all };
  };
  return {
    ...policy,
    clusterRoles: [
      ...policy.clusterRoles.filter(({ metadata }) => !gone.has(metadata.name ?? '')),
      ...added.map(roleOf),
    ].map(rulesOf),
    clusterRoleBindings: [
      ...policy.clusterRoleBindings.filter(({ metadata: { name = '' } }) => !names.has(name) || !gone.has(name)),
      ...added.map(bindingOf),
    ],
  };
}

function withPaths(
  [first, ...others]: readonly PolicyRule[],
  paths: typeof gatedPaths,
  areOn: (gated: Gated) => boolean,
): PolicyRule[] {
  if (first === undefined) return [];
  const waiting = new Set(paths.map(({ path }) => path));
  const always = (first.nonResourceURLs ?? []).filter((path) => !waiting.has(path));
  const nonResourceURLs = [...always, ...paths.filter(areOn).map(({ path }) => path)].toSorted();
  return [{ ...first, nonResourceURLs }, ...others];
}

const metadataOf = (name: string): RoleObject['metadata'] => ({
  name,
  annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
  labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' },
});
const apiGroup = 'rbac.authorization.k8s.io';

function roleOf({ name, rules }: GatedRole): RoleObject {
  return { apiVersion: `${apiGroup}/v1`, kind: 'ClusterRole', metadata: metadataOf(name), rules: [...rules] };
}

function bindingOf({ name, serviceAccount }: GatedRole): RoleBindingObject {
  const subject =
    serviceAccount === undefined
      ? { kind: 'Group', apiGroup, name: 'system:serviceaccounts' }
      : { kind: 'ServiceAccount', name: serviceAccount, namespace: 'kube-system' };
  return {
    apiVersion: `${apiGroup}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: metadataOf(name),
    roleRef: { apiGroup, kind: 'ClusterRole', name },
    subjects: [subject],
  };
}
