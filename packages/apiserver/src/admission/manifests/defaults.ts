import type {
  MatchResources,
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingWebhook,
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
} from '@kubechain/apimachinery/types/admissionregistration/v1';

/* Defaults of webhook configurations and admission policies (pkg/apis/admissionregistration/v1, 1.36). */

/** Both kinds of webhook configurations. */
export function defaultValidatingWebhookConfiguration(configuration: ValidatingWebhookConfiguration): void {
  for (const webhook of configuration.webhooks ?? []) defaultWebhook(webhook);
}

/** Mutating webhooks are called once unless they ask to be called again. */
export function defaultMutatingWebhookConfiguration(configuration: MutatingWebhookConfiguration): void {
  for (const webhook of configuration.webhooks ?? []) {
    defaultWebhook(webhook);
    webhook.reinvocationPolicy ??= 'Never';
  }
}

function defaultWebhook(webhook: ValidatingWebhook | MutatingWebhook): void {
  webhook.failurePolicy ??= 'Fail';
  webhook.matchPolicy ??= 'Equivalent';
  webhook.namespaceSelector ??= {};
  webhook.objectSelector ??= {};
  webhook.timeoutSeconds ??= 10;
  if (webhook.clientConfig?.service !== undefined) webhook.clientConfig.service.port ??= 443;
  defaultRules(webhook.rules);
}

/** Both kinds of admission policies. */
export function defaultAdmissionPolicy(policy: ValidatingAdmissionPolicy | MutatingAdmissionPolicy): void {
  const spec = (policy.spec ??= {});
  spec.failurePolicy ??= 'Fail';
  defaultMatch(spec.matchConstraints);
}

/** Both kinds of bindings of admission policies. */
export function defaultAdmissionPolicyBinding(
  binding: ValidatingAdmissionPolicyBinding | MutatingAdmissionPolicyBinding,
): void {
  defaultMatch(binding.spec?.matchResources);
}

/** The same in v1alpha1, where params that are not found deny unless the binding says otherwise. */
export function defaultAlphaPolicyBinding(binding: MutatingAdmissionPolicyBinding): void {
  defaultAdmissionPolicyBinding(binding);
  const paramRef = binding.spec?.paramRef;
  if (paramRef !== undefined) paramRef.parameterNotFoundAction ??= 'Deny';
}

function defaultMatch(match: MatchResources | undefined): void {
  if (match === undefined) return;
  match.matchPolicy ??= 'Equivalent';
  match.namespaceSelector ??= {};
  match.objectSelector ??= {};
  defaultRules(match.resourceRules);
  defaultRules(match.excludeResourceRules);
}

function defaultRules(rules: readonly { scope?: string }[] | undefined): void {
  for (const rule of rules ?? []) rule.scope ??= '*';
}
