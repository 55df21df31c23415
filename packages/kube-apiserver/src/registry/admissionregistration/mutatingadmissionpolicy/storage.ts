import type { StorageProvider } from '../../storage-provider.ts';
import { mutatingAdmissionPolicyStrategy } from './strategy.ts';

/** Serves mutatingadmissionpolicies. */
export const mutatingAdmissionPolicyStorage: StorageProvider = (context) => {
  const store = context.store({
    group: 'admissionregistration.k8s.io',
    plural: 'mutatingadmissionpolicies',
    anyFinalizers: true,
    strategy: mutatingAdmissionPolicyStrategy(context),
  });
  return [['mutatingadmissionpolicies', store]];
};
