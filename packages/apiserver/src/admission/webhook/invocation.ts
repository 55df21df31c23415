import type { GroupVersionKind, GroupVersionResource } from '@kubechain/apimachinery';
import type { AdmissionAttributes } from '../admission.ts';
import type { NamespaceLister } from '../namespace-lister.ts';
import type { Hook } from './hook.ts';
import { ruleMatches } from './rules.ts';
import { matchesNamespace, matchesObject } from './selector-match.ts';

/** A webhook that is to be called, and the form in which it wants the object. */
export interface Invocation {
  readonly hook: Hook;
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
}

/**
 * Whether a request concerns a webhook, and how (webhook/generic ShouldCallHook, 1.36): with the version it came in where
 * a rule names that, else, under match policy Equivalent, with the first version that a rule names.
 * @throws StatusError where the namespace that a selector asks for cannot be looked up
 */
export async function invocationOf(hook: Hook, attributes: AdmissionAttributes, namespaces: NamespaceLister): Promise<Invocation | undefined> {
  if (!matchesObject(hook.objectSelector, attributes)) return undefined;
  const matched = matchingForm(hook, attributes);
  return matched !== undefined && await matchesNamespace(hook.namespaceSelector, attributes, namespaces) ? { hook, ...matched } : undefined;
}

function matchingForm({ webhook }: Hook, attributes: AdmissionAttributes): Omit<Invocation, 'hook'> | undefined {
  const { kind, resource } = attributes;
  const rules = webhook.rules ?? [];
  if (rules.some((rule) => ruleMatches(rule, attributes))) return { resource, kind };
  if (webhook.matchPolicy !== 'Equivalent') return undefined;
  const { namespace, operation, subresource } = attributes;
  const others = attributes.objects.equivalents();
  for (const rule of rules) {
    const other = others.find((candidate) => ruleMatches(rule, { namespace, operation, subresource, resource: candidate.resource }));
    if (other !== undefined) return other;
  }
  return undefined;
}
