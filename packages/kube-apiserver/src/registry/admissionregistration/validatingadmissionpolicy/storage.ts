import { createStatusStorage } from '@kubechain/apiserver';
import type { StorageProvider } from '../../storage-provider.ts';
import { validatingAdmissionPolicyStrategy, validatingAdmissionPolicyStatusStrategy } from './strategy.ts';

/** Serves validatingadmissionpolicies with status. */
export const validatingAdmissionPolicyStorage: StorageProvider = (context) => {
  const store = context.store({
    group: 'admissionregistration.k8s.io',
    plural: 'validatingadmissionpolicies',
    anyFinalizers: true,
    strategy: validatingAdmissionPolicyStrategy(context),
  });
  return [
    ['validatingadmissionpolicies', store],
    ['validatingadmissionpolicies/status', createStatusStorage(store, validatingAdmissionPolicyStatusStrategy)],
  ];
};
