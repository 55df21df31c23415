import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingWebhookConfiguration,
  ParamRef,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from '@kubechain/apimachinery/types/admissionregistration/v1';
import type { LabelSelector } from '@kubechain/apimachinery/types/meta/v1';
import { unset } from '../table/cells.ts';
import { ageOf, nameOf } from '../table/printer.ts';
import type { Printer } from '../table/printer.ts';

/** Row of ValidatingWebhookConfiguration and MutatingWebhookConfiguration (pkg/printers/internalversion, 1.36). */
export const printWebhooks: Printer<ValidatingWebhookConfiguration | MutatingWebhookConfiguration> = (object) => [
  nameOf(object),
  object.webhooks?.length ?? 0,
  ageOf(object),
];

/** Row of ValidatingAdmissionPolicyBinding and MutatingAdmissionPolicyBinding (pkg/printers/internalversion, 1.36). */
export const printBinding: Printer<ValidatingAdmissionPolicyBinding | MutatingAdmissionPolicyBinding> = (binding) => [
  nameOf(binding),
  binding.spec?.policyName ?? '',
  paramCell(binding.spec?.paramRef),
  ageOf(binding),
];

function paramCell(reference: ParamRef | undefined): string {
  if (reference === undefined) return unset;
  if (reference.name) return `${reference.namespace || '*'}/${reference.name}`;
  return reference.selector === undefined ? unset : goSelector(reference.selector);
}

/** A selector as Go's protobuf types print themselves. */
function goSelector(selector: LabelSelector): string {
  const labels = Object.entries(selector.matchLabels ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}: ${value},`)
    .join('');
  const expressions = (selector.matchExpressions ?? [])
    .map(
      ({ key, operator, values = [] }) =>
        `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
    )
    .join('');
  return (
    `&LabelSelector{MatchLabels:map[string]string{${labels}},` +
    `MatchExpressions:[]LabelSelectorRequirement{${expressions}},}`
  );
}

const paramKind = (kind: { readonly apiVersion?: string; readonly kind?: string } | undefined): string =>
  kind === undefined ? unset : `${kind.apiVersion ?? ''}/${kind.kind ?? ''}`;

/** Row of ValidatingAdmissionPolicy. */
export const printValidatingAdmissionPolicy: Printer<ValidatingAdmissionPolicy> = (policy) => [
  nameOf(policy),
  policy.spec?.validations?.length ?? 0,
  paramKind(policy.spec?.paramKind),
  ageOf(policy),
];

/** Row of MutatingAdmissionPolicy. */
export const printMutatingAdmissionPolicy: Printer<MutatingAdmissionPolicy> = (policy) => [
  nameOf(policy),
  policy.spec?.mutations?.length ?? 0,
  paramKind(policy.spec?.paramKind),
  ageOf(policy),
];
