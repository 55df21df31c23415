import { mutatingAdmissionPolicyBindingStrategy } from './strategy.ts';
import { defaultAdmissionPolicyBinding, defaultAlphaPolicyBinding } from '@kubechain/apiserver/resources';
import { printBinding } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** Serves mutatingadmissionpolicybindings. */
export const mutatingAdmissionPolicyBindingResource = storedResource({
  group: 'admissionregistration.k8s.io',
  plural: 'mutatingadmissionpolicybindings',
  anyFinalizers: true,
  strategy: mutatingAdmissionPolicyBindingStrategy,
  defaults: {
    v1: defaultAdmissionPolicyBinding,
    v1beta1: defaultAdmissionPolicyBinding,
    v1alpha1: defaultAlphaPolicyBinding,
  },
  row: printBinding,
});
