import type { GroupProvider } from '../resource.ts';
import { mutatingAdmissionPolicyResource } from './mutatingadmissionpolicy/resource.ts';
import { mutatingAdmissionPolicyBindingResource } from './mutatingadmissionpolicybinding/resource.ts';
import { mutatingWebhookConfigurationResource } from './mutatingwebhookconfiguration/resource.ts';
import { validatingAdmissionPolicyResource } from './validatingadmissionpolicy/resource.ts';
import { validatingAdmissionPolicyBindingResource } from './validatingadmissionpolicybinding/resource.ts';
import { validatingWebhookConfigurationResource } from './validatingwebhookconfiguration/resource.ts';

/** The admissionregistration.k8s.io group. */
export const admissionregistrationGroup: GroupProvider = {
  group: 'admissionregistration.k8s.io',
  resources: [
    mutatingAdmissionPolicyResource,
    mutatingAdmissionPolicyBindingResource,
    mutatingWebhookConfigurationResource,
    validatingAdmissionPolicyResource,
    validatingAdmissionPolicyBindingResource,
    validatingWebhookConfigurationResource,
  ],
};
