import type { StorageProvider } from '../../storage-provider.ts';
import { validatingAdmissionPolicyBindingStrategy } from './strategy.ts';

/** Serves validatingadmissionpolicybindings. */
export const validatingAdmissionPolicyBindingStorage: StorageProvider = (context) => {
  const store = context.store({
    group: 'admissionregistration.k8s.io',
    plural: 'validatingadmissionpolicybindings',
    anyFinalizers: true,
    strategy: validatingAdmissionPolicyBindingStrategy(context),
  });
  return [['validatingadmissionpolicybindings', store]];
};
