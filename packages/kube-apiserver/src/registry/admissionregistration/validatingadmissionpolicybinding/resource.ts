import { validatingAdmissionPolicyBindingStrategy } from './strategy.ts';
import { defaultAdmissionPolicyBinding } from '../defaults.ts';
import { printBinding } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** Serves validatingadmissionpolicybindings. */
export const validatingAdmissionPolicyBindingResource = storedResource({
  group: 'admissionregistration.k8s.io',
  plural: 'validatingadmissionpolicybindings',
  anyFinalizers: true,
  strategy: validatingAdmissionPolicyBindingStrategy,
  defaults: { v1: defaultAdmissionPolicyBinding },
  row: printBinding,
});
