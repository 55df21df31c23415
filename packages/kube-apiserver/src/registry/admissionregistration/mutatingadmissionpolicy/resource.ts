import { mutatingAdmissionPolicyStrategy } from './strategy.ts';
import { defaultAdmissionPolicy } from '@kubechain/apiserver/resources';
import { printMutatingAdmissionPolicy } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** Serves mutatingadmissionpolicies. */
export const mutatingAdmissionPolicyResource = storedResource({
  group: 'admissionregistration.k8s.io',
  plural: 'mutatingadmissionpolicies',
  anyFinalizers: true,
  strategy: mutatingAdmissionPolicyStrategy,
  defaults: { v1: defaultAdmissionPolicy, v1beta1: defaultAdmissionPolicy, v1alpha1: defaultAdmissionPolicy },
  row: printMutatingAdmissionPolicy,
});
