import type { MutatingAdmissionPolicyBinding } from '@kubechain/apimachinery/types/admissionregistration/v1';
import type { Strategy } from '@kubechain/apiserver/resources';
import { specStrategy } from '../../spec-strategy.ts';
import { bindingRights } from '../binding-rights.ts';
import type { BindingRightsContext } from '../binding-rights.ts';
import { reservedNameWarnings } from '../reserved-names.ts';
import { validateMutatingBinding } from './validation.ts';

/** MutatingAdmissionPolicyBinding: what its spec's endpoint does beyond the generic registry. */
export function mutatingAdmissionPolicyBindingStrategy(context: BindingRightsContext): Strategy {
  const checked = bindingRights({
    ...context,
    policies: 'mutatingadmissionpolicies',
    validate: (object) => validateMutatingBinding(object as Partial<MutatingAdmissionPolicyBinding>),
  });
  return specStrategy({ generation: 'spec', allowUnconditionalUpdate: false, ...reservedNameWarnings, ...checked });
}
