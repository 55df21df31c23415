import type { MutatingAdmissionPolicyBinding } from '@kubechain/apimachinery/types/admissionregistration/v1';
import type { Strategy } from '@kubechain/apiserver/resources';
import { specStrategy } from '../../spec-strategy.ts';
import type { RegistryContext } from '../../storage-provider.ts';
import { bindingRights } from '../binding-rights.ts';
import type { BindingRightsContext } from '../binding-rights.ts';
import { withReservedNames } from '../reserved-names.ts';
import { validateMutatingBinding } from './validation.ts';

/** MutatingAdmissionPolicyBinding: what its spec's endpoint does beyond the generic registry. */
export function mutatingAdmissionPolicyBindingStrategy(
  context: BindingRightsContext & Pick<RegistryContext, 'featureEnabled'>,
): Strategy {
  const checked = bindingRights({
    ...context,
    policies: 'mutatingadmissionpolicies',
    validate: (object) => validateMutatingBinding(object as Partial<MutatingAdmissionPolicyBinding>),
  });
  return withReservedNames(specStrategy({ generation: 'spec', allowUnconditionalUpdate: false, ...checked }), context);
}
