import type { FieldError, KubeObject } from '@kubechain/apimachinery';
import type { ParamKind, ParamRef } from '@kubechain/apimachinery/types/admissionregistration/v1';
import type { RESTContext, Strategy, UserInfo } from '@kubechain/apiserver/resources';
import type { RegistryContext } from '../storage-provider.ts';
import { paramRefErrors } from './param-rights.ts';
import type { RightsContext } from './param-rights.ts';

export type BindingRightsContext = RightsContext & Pick<RegistryContext, 'storeOf'>;

export interface BindingRightsOptions extends BindingRightsContext {
  readonly policies: 'validatingadmissionpolicies' | 'mutatingadmissionpolicies';
  readonly validate: (object: KubeObject) => readonly FieldError[];
}

interface Spec {
  readonly policyName?: string;
  readonly paramRef?: ParamRef;
}

/**
 * Validation of bindings of either kind: their own rules, then whether who writes may read the params. Updates that do
 * not change paramRef are checked too, because the reference compares where it is kept, not what it says.
 */
export function bindingRights({
  policies,
  storeOf,
  validate,
  ...rights
}: BindingRightsOptions): Pick<Strategy, 'validate' | 'validateUpdate'> {
  const check = async ({ paramRef, policyName = '' }: Spec, user: UserInfo): Promise<readonly FieldError[]> => {
    if (paramRef === undefined) return [];
    const { keyRoot, storage } = storeOf('admissionregistration.k8s.io', policies);
    const policy = (await storage.get(`${keyRoot}/${policyName}`, { ignoreNotFound: true }))?.object();
    const paramKind = (policy?.['spec'] as { readonly paramKind?: ParamKind } | undefined)?.paramKind;
    return paramRefErrors(
      paramRef,
      {
        policyName,
        policy: policy === undefined ? undefined : { paramKind },
        user,
        isMutating: policies === 'mutatingadmissionpolicies',
      },
      rights,
    );
  };
  const checked = async (object: KubeObject, { request: { user } }: RESTContext): Promise<readonly FieldError[]> => {
    const errors = validate(object);
    return errors.length > 0 ? errors : check((object['spec'] ?? {}) as Spec, user);
  };
  return {
    validate: checked,
    validateUpdate: (object, _old, context) => checked(object, context),
  };
}
