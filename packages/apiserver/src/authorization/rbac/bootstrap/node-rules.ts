import { builtinRelease } from '@kubechain/apimachinery';
import type { Release } from '@kubechain/apimachinery';
import type { PolicyRule } from '../rbac-objects.ts';
import { bootstrapPolicy } from './bootstrap-policy.ts';
import { withGatedRoles } from './gated-roles.ts';
import type { RoleGate } from './gated-rules.ts';

/**
 * What the Node authorizer gives every node, apart from what is judged by relation.
 * @param isOn by feature gate; default: each as it is by default
 */
export function nodeRules(
  release: Release = builtinRelease,
  isOn?: (gate: RoleGate) => boolean,
): readonly PolicyRule[] {
  const policy = bootstrapPolicy(release);
  const { clusterRoles } = isOn === undefined ? policy : withGatedRoles(policy, isOn, release);
  return clusterRoles.find(({ metadata }) => metadata.name === 'system:node')?.rules ?? [];
}
