import { FieldPath } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { MutatingAdmissionPolicyBinding } from '@kubechain/apimachinery/types/admissionregistration/v1';
import { validateMatchResources } from '../match-resources-validation.ts';
import { validateMutatingOperations } from '../mutatingadmissionpolicy/validation.ts';
import { validateParamRef } from '../param-validation.ts';
import { validatePolicyName } from '../validatingadmissionpolicybinding/validation.ts';

/** Rules of a MutatingAdmissionPolicyBinding (validation.go, 1.36). */
export function validateMutatingBinding({ spec }: Partial<MutatingAdmissionPolicyBinding>): FieldError[] {
  const path = FieldPath.of('spec');
  return [
    ...validatePolicyName(spec?.policyName ?? '', path.child('policyName')),
    ...validateParamRef(spec?.paramRef, path.child('paramRef')),
    ...validateMatchResources(spec?.matchResources, path.child('matchResources')),
    ...validateMutatingOperations(spec?.matchResources?.resourceRules ?? [], path.child('matchResources')),
  ];
}
