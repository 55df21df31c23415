import type { GroupProvider } from '../storage-provider.ts';
import { mutatingAdmissionPolicyStorage } from './mutatingadmissionpolicy/storage.ts';
import { mutatingAdmissionPolicyBindingStorage } from './mutatingadmissionpolicybinding/storage.ts';
import { mutatingWebhookConfigurationStorage } from './mutatingwebhookconfiguration/storage.ts';
import { validatingAdmissionPolicyStorage } from './validatingadmissionpolicy/storage.ts';
import { validatingAdmissionPolicyBindingStorage } from './validatingadmissionpolicybinding/storage.ts';
import { validatingWebhookConfigurationStorage } from './validatingwebhookconfiguration/storage.ts';

/** The admissionregistration.k8s.io group. */
export const admissionregistrationGroup: GroupProvider = {
  group: 'admissionregistration.k8s.io',
  resources: [
    mutatingAdmissionPolicyStorage,
    mutatingAdmissionPolicyBindingStorage,
    mutatingWebhookConfigurationStorage,
    validatingAdmissionPolicyStorage,
    validatingAdmissionPolicyBindingStorage,
    validatingWebhookConfigurationStorage,
  ],
};
