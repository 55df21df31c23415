import { trimEndOf } from '@kubechain/apimachinery';
import type { AuthorizationAttributes } from '../authorizer.ts';
import type { PolicyRule } from './rbac-objects.ts';

/**
 * Whether one rule covers a request. Source: plugin/pkg/auth/authorizer/rbac RuleAllows, pkg/apis/rbac/v1
 * evaluation_helpers.go.
 */
export function ruleAllows(rule: PolicyRule, attributes: AuthorizationAttributes): boolean {
  if (!allowsValue(rule.verbs, attributes.verb)) return false;
  if (!attributes.resourceRequest) return allowsPath(rule.nonResourceURLs, attributes.path);
  return (
    allowsValue(rule.apiGroups, attributes.apiGroup) &&
    allowsResource(rule.resources, attributes) &&
    allowsName(rule.resourceNames, attributes.name)
  );
}

function allowsValue(allowed: readonly string[] | undefined, value: string): boolean {
  return allowed !== undefined && (allowed.includes('*') || allowed.includes(value));
}

function allowsResource(
  allowed: readonly string[] | undefined,
  { resource, subresource }: AuthorizationAttributes,
): boolean {
  if (allowed === undefined) return false;
  if (subresource === '') return allowed.includes('*') || allowed.includes(resource);
  for (const candidate of allowed) {
    if (candidate === '*') return true;
    const slash = candidate.indexOf('/');
    // Compared piecewise, without building `resource/subresource` for each request.
    if (slash === -1 || candidate.length !== slash + 1 + subresource.length || !candidate.endsWith(subresource))
      continue;
    if (slash === resource.length && candidate.startsWith(resource)) return true;
    if (slash === 1 && candidate[0] === '*') return true;
  }
  return false;
}

function allowsName(allowed: readonly string[] | undefined, name: string): boolean {
  return allowed === undefined || allowed.length === 0 || allowed.includes(name);
}

function allowsPath(allowed: readonly string[] | undefined, path: string): boolean {
  if (allowed === undefined) return false;
  for (const candidate of allowed) {
    if (candidate === '*' || candidate === path) return true;
    if (candidate.endsWith('*') && path.startsWith(trimEndOf(candidate, '*'))) return true;
  }
  return false;
}
