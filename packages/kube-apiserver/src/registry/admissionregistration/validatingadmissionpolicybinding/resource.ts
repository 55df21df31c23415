import { validatingAdmissionPolicyBindingStrategy } from './strategy.ts';
import { defaultAdmissionPolicyBinding } from '@kubechain/apiserver/resources';
import { printBinding } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** Serves validatingadmissionpolicybindings. */
export const validatingAdmissionPolicyBindingResource = storedResource({
  group: 'admissionregistration.k8s.io',
  plural: 'validatingadmissionpolicybindings',
  anyFinalizers: true,
  strategy: validatingAdmissionPolicyBindingStrategy,
  defaults: { v1: defaultAdmissionPolicyBinding, v1beta1: defaultAdmissionPolicyBinding },
  row: printBinding,
});
