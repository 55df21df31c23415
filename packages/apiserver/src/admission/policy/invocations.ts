import { notFound, messageOf } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import type { Authorizer } from '../../authorization/authorizer.ts';
import type { AdmissionAttributes } from '../admission.ts';
import { namespaceValue } from '../cel/admission-request.ts';
import type { RequestForm } from '../cel/admission-request.ts';
import type { NamespaceLister } from '../namespace-lister.ts';
import { collectParams } from './collect-params.ts';
import type { ParamSources } from './param-sources.ts';
import type { PolicyBinding, PolicyHook } from './policy-source.ts';
import type { PolicySpec } from './stored-policy.ts';

/** What applying policies takes. */
export interface PolicyOptions {
  readonly params: ParamSources;
  readonly namespaces: NamespaceLister;
  readonly authorizer: Authorizer;
}

/** A policy that applies to a request through one binding, or why that cannot be told. */
export type Invocation =
  | {
      readonly kind: 'apply';
      readonly binding: PolicyBinding;
      readonly form: RequestForm;
      /** One evaluation for each; not empty. */ readonly params: readonly (object | null)[];
    }
  | {
      readonly kind: 'misconfigured';
      /** Absent: the policy itself is. */ readonly binding: string | undefined;
      readonly text: string;
    };

/**
 * Through which bindings a policy applies to a request, in order (policy/generic policy_dispatcher.go, 1.36); others
 * are served between two of them.
 */
export async function invocationsOf<S extends PolicySpec, E extends object>(
  hook: PolicyHook<S, E>,
  attributes: AdmissionAttributes,
  { namespaces, params }: PolicyOptions,
): Promise<readonly Invocation[]> {
  const misconfigured = (text: string, binding?: string): Invocation => ({
    kind: 'misconfigured',
    binding,
    text: `failed to configure ${binding === undefined ? 'policy' : 'binding'}: ${text}`,
  });
  await attributes.objects.rest();
  let form: RequestForm | undefined;
  try {
    if (hook.criteria === undefined) return [misconfigured('policy contained no match constraints, a required field')];
    form = await hook.criteria.formOf(attributes, namespaces);
  } catch (error) {
    return [misconfigured(messageOf(error))];
  }
  if (form === undefined) return [];
  const source = hook.paramKind === undefined ? undefined : await params.find(hook.paramKind);
  if (hook.paramKind !== undefined && source === undefined) {
    const { group, kind, version } = hook.paramKind;
    return [misconfigured(`failed to find resource referenced by paramKind: '${group}/${version}, Kind=${kind}'`)];
  }
  const invocations: Invocation[] = [];
  for (const binding of hook.bindings) {
    await attributes.objects.rest();
    try {
      if (binding.criteria !== undefined && (await binding.criteria.formOf(attributes, namespaces)) === undefined)
        continue;
      const given = await collectParams(hook.spec.paramKind, source, {
        ref: binding.spec.paramRef,
        namespace: attributes.namespace,
      });
      if (given.length > 0) invocations.push({ kind: 'apply', binding, form, params: given });
    } catch (error) {
      invocations.push(misconfigured(messageOf(error), binding.name));
    }
  }
  return invocations;
}

/** `namespaceObject` of a request: null for what is of the cluster, and for namespaces. @throws StatusError NotFound */
export async function namespaceObjectOf(
  { kind, namespace, signal }: AdmissionAttributes,
  namespaces: NamespaceLister,
): Promise<object | null> {
  if (namespace === '' || (kind.group === '' && kind.kind === 'Namespace')) return null;
  const found: KubeObject | undefined = namespaces.get(namespace) ?? (await namespaces.getLive(namespace, signal));
  if (found === undefined) throw notFound({ group: '', resource: 'namespaces' }, namespace);
  return namespaceValue(found);
}

/** Names a version of a request's objects. */
export function formKey({ kind, resource }: RequestForm): string {
  return `${kind.group}/${kind.version}/${kind.kind}/${resource.resource}`;
}
