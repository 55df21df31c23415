import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from '@kubechain/apimachinery/types/admissionregistration/v1';
import type { ManifestRules } from '@kubechain/apiserver/resources';
import { validateMutatingPolicy } from './mutatingadmissionpolicy/validation.ts';
import { validateMutatingBinding } from './mutatingadmissionpolicybinding/validation.ts';
import { validateValidatingPolicy } from './validatingadmissionpolicy/validation.ts';
import { validateValidatingBinding } from './validatingadmissionpolicybinding/validation.ts';
import { validateNewWebhooks } from './webhook-validation.ts';

/** The rules of the API for configurations of admission that come from files. */
export const manifestRules: ManifestRules = {
  ValidatingWebhookConfiguration: (object) => validateNewWebhooks(object as ValidatingWebhookConfiguration),
  MutatingWebhookConfiguration: (object) => validateNewWebhooks(object as MutatingWebhookConfiguration),
  ValidatingAdmissionPolicy: (object) => validateValidatingPolicy(object as ValidatingAdmissionPolicy),
  MutatingAdmissionPolicy: (object) => validateMutatingPolicy(object as MutatingAdmissionPolicy),
  ValidatingAdmissionPolicyBinding: (object) => validateValidatingBinding(object as ValidatingAdmissionPolicyBinding),
  MutatingAdmissionPolicyBinding: (object) => validateMutatingBinding(object as MutatingAdmissionPolicyBinding),
};
