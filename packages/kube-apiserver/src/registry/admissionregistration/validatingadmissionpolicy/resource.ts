import { validatingAdmissionPolicyStrategy, validatingAdmissionPolicyStatusStrategy } from './strategy.ts';
import { defaultAdmissionPolicy } from '@kubechain/apiserver/resources';
import { printValidatingAdmissionPolicy } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** Serves validatingadmissionpolicies with status. */
export const validatingAdmissionPolicyResource = storedResource({
  group: 'admissionregistration.k8s.io',
  plural: 'validatingadmissionpolicies',
  anyFinalizers: true,
  strategy: validatingAdmissionPolicyStrategy,
  status: validatingAdmissionPolicyStatusStrategy,
  statusCreates: 'apply',
  defaults: { v1: defaultAdmissionPolicy, v1beta1: defaultAdmissionPolicy },
  row: printValidatingAdmissionPolicy,
});
