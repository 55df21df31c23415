import { trimEndOf } from '@kubechain/apimachinery';
import type { PolicyRule } from './rbac-objects.ts';

/**
 * What of `wanted` the `held` rules do not grant, broken down to single verbs and resources. Empty = covered.
 * Source: component-helpers/auth/rbac/validation Covers.
 */
export function uncoveredRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  return wanted.flatMap(breakDown).filter((part) => !held.some((rule) => covers(rule, part)));
}

/** An equivalent list of rules with at most one verb, one resource and one name each. */
function breakDown(rule: PolicyRule): PolicyRule[] {
  const parts: PolicyRule[] = [];
  const names = rule.resourceNames ?? [];
  for (const group of rule.apiGroups ?? []) {
    for (const resource of rule.resources ?? []) {
      for (const verb of rule.verbs) {
        const part = { verbs: [verb], apiGroups: [group], resources: [resource] };
        if (names.length === 0) parts.push(part);
        else for (const name of names) parts.push({ ...part, resourceNames: [name] });
      }
    }
  }
  for (const url of rule.nonResourceURLs ?? [])
    for (const verb of rule.verbs) parts.push({ verbs: [verb], nonResourceURLs: [url] });
  return parts;
}

function covers(owner: PolicyRule, part: PolicyRule): boolean {
  const ownerNames = owner.resourceNames ?? [];
  const names = part.resourceNames ?? [];
  return (
    coversAll(owner.verbs, part.verbs) &&
    coversAll(owner.apiGroups ?? [], part.apiGroups ?? []) &&
    (part.resources ?? []).every((resource) => coversResource(owner.resources ?? [], resource)) &&
    (part.nonResourceURLs ?? []).every((url) =>
      (owner.nonResourceURLs ?? []).some((ownerURL) => coversURL(ownerURL, url)),
    ) &&
    (ownerNames.length === 0 || (names.length > 0 && names.every((name) => ownerNames.includes(name))))
  );
}

function coversAll(held: readonly string[], wanted: readonly string[]): boolean {
  return held.includes('*') || wanted.every((value) => held.includes(value));
}

function coversResource(held: readonly string[], resource: string): boolean {
  if (held.includes('*') || held.includes(resource)) return true;
  const slash = resource.indexOf('/');
  return slash !== -1 && held.includes(`*/${resource.slice(slash + 1)}`);
}

function coversURL(held: string, wanted: string): boolean {
  return held === wanted || (held.endsWith('*') && wanted.startsWith(trimEndOf(held, '*')));
}
