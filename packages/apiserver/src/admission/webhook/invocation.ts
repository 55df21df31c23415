import { forbidden, internalError, type GroupVersionKind, type GroupVersionResource } from '@kubechain/apimachinery';
import type { Authorizer } from '../../authorization/authorizer.ts';
import type { AdmissionAttributes } from '../admission.ts';
import { versionedObjects, type RequestForm, type VersionedObjects } from '../cel/admission-request.ts';
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

/** What telling whether a webhook is concerned takes. */
export interface InvocationOptions {
  readonly namespaces: NamespaceLister;
  /** For conditions. */
  readonly authorizer: Authorizer;
}

/**
 * Whether a request concerns a webhook, and how (webhook/generic ShouldCallHook, 1.36): with the version it came in
 * where
 * a rule names that, else, under match policy Equivalent, with the first version that a rule names.
 * @throws StatusError where the namespace that a selector asks for cannot be looked up, and where conditions fail
 */
export async function invocationOf(
  hook: Hook,
  attributes: AdmissionAttributes,
  { authorizer, namespaces }: InvocationOptions,
): Promise<Invocation | undefined> {
  if (!matchesObject(hook.objectSelector, attributes)) return undefined;
  const matched = matchingForm(hook, attributes);
  if (matched === undefined || !(await matchesNamespace(hook.namespaceSelector, attributes, namespaces)))
    return undefined;
  return hook.conditions.empty || (await meetsConditions(hook, { attributes, form: matched, authorizer }))
    ? { hook, ...matched }
    : undefined;
}

async function meetsConditions(
  { conditions }: Hook,
  {
    attributes,
    authorizer,
    form,
  }: { readonly attributes: AdmissionAttributes; readonly form: RequestForm; readonly authorizer: Authorizer },
): Promise<boolean> {
  let objects: VersionedObjects;
  try {
    objects = await versionedObjects(attributes, form);
  } catch (error) {
    throw internalError(error);
  }
  const result = conditions.match({ attributes, objects, params: null, authorizer });
  if (result.kind === 'error')
    throw forbidden(
      { group: attributes.resource.group, resource: attributes.resource.resource },
      attributes.name,
      result.text,
    );
  return result.kind === 'met';
}

function matchingForm({ webhook }: Hook, attributes: AdmissionAttributes): Omit<Invocation, 'hook'> | undefined {
  const { kind, resource } = attributes;
  const rules = webhook.rules ?? [];
  if (rules.some((rule) => ruleMatches(rule, attributes))) return { resource, kind };
  if (webhook.matchPolicy !== 'Equivalent') return undefined;
  const { namespace, operation, subresource } = attributes;
  const others = attributes.objects.equivalents();
  for (const rule of rules) {
    const other = others.find((candidate) =>
      ruleMatches(rule, { namespace, operation, subresource, resource: candidate.resource }),
    );
    if (other !== undefined) return other;
  }
  return undefined;
}
