import type { KubeObject } from '@kubechain/apimachinery';
import type { ValidatingAdmissionPolicyBinding } from '@kubechain/apimachinery/types/admissionregistration/v1';
import type { Strategy } from '@kubechain/apiserver/resources';
import { specStrategy } from '../../spec-strategy.ts';
import type { RegistryContext } from '../../storage-provider.ts';
import { bindingRights } from '../binding-rights.ts';
import type { BindingRightsContext } from '../binding-rights.ts';
import { withReservedNames } from '../reserved-names.ts';
import { validateValidatingBinding } from './validation.ts';

/** ValidatingAdmissionPolicyBinding: what its spec's endpoint does beyond the generic registry. */
export function validatingAdmissionPolicyBindingStrategy(
  context: BindingRightsContext & Pick<RegistryContext, 'featureEnabled'>,
): Strategy {
  const checked = bindingRights({
    ...context,
    policies: 'validatingadmissionpolicies',
    validate: (object: KubeObject) => validateValidatingBinding(object as ValidatingAdmissionPolicyBinding),
  });
  return withReservedNames(specStrategy({ generation: 'spec', allowUnconditionalUpdate: false, ...checked }), context);
}
