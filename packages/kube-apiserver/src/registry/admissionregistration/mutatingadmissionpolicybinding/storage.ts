import type { StorageProvider } from '../../storage-provider.ts';
import { mutatingAdmissionPolicyBindingStrategy } from './strategy.ts';

/** Serves mutatingadmissionpolicybindings. */
export const mutatingAdmissionPolicyBindingStorage: StorageProvider = (context) => {
  const store = context.store({
    group: 'admissionregistration.k8s.io',
    plural: 'mutatingadmissionpolicybindings',
    anyFinalizers: true,
    strategy: mutatingAdmissionPolicyBindingStrategy(context),
  });
  return [['mutatingadmissionpolicybindings', store]];
};
