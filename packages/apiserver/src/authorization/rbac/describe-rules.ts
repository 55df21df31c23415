import { append, compareText, goQuote } from '@kubechain/apimachinery';
import type { PolicyRule } from './rbac-objects.ts';

/**
 * Missing rights as the escalation message lists them: rules that differ only in their verbs put together, each as
 * `{APIGroups:["apps"], Resources:["deployments"], Verbs:["get" "list"]}`, sorted, repeated ones once.
 * Source: pkg/registry/rbac/validation CompactRules, pkg/apis/rbac/v1 CompactString.
 */
export function describeRules(rules: readonly PolicyRule[]): string[] {
  return [...new Set(compactRules(rules).map(describeRule))].sort(compareText);
}

/** `["a" "b"]`, Go's %q of a list. */
export function quoteList(values: readonly string[]): string {
  return `[${values.map(goQuote).join(' ')}]`;
}

function compactRules(rules: readonly PolicyRule[]): PolicyRule[] {
  const compacted: PolicyRule[] = [];
  const simple = new Map<string, { rule: PolicyRule; verbs: string[] }>();
  for (const rule of rules) {
    const { apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
    if (resourceNames.length > 1 || nonResourceURLs.length > 0 || apiGroups.length !== 1 || resources.length !== 1) {
      compacted.push(rule);
      continue;
    }
    const key = JSON.stringify([apiGroups[0], resources[0], ...resourceNames]);
    const known = simple.get(key);
    if (known === undefined) simple.set(key, { rule, verbs: [...rule.verbs] });
    else append(known.verbs, rule.verbs);
  }
  for (const { rule, verbs } of simple.values()) compacted.push({ ...rule, verbs });
  return compacted;
}

function describeRule({
  apiGroups = [],
  resources = [],
  nonResourceURLs = [],
  resourceNames = [],
  verbs,
}: PolicyRule): string {
  const parts: string[] = [];
  if (apiGroups.length > 0) parts.push(`APIGroups:${quoteList(apiGroups)}`);
  if (resources.length > 0) parts.push(`Resources:${quoteList(resources)}`);
  if (nonResourceURLs.length > 0) parts.push(`NonResourceURLs:${quoteList(nonResourceURLs)}`);
  if (resourceNames.length > 0) parts.push(`ResourceNames:${quoteList(resourceNames)}`);
  if (verbs.length > 0) parts.push(`Verbs:${quoteList(verbs)}`);
  return `{${parts.join(', ')}}`;
}
