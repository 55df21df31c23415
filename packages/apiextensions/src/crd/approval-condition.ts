import { approvalOf, isProtectedGroup } from '../validation/names.ts';
import type { CRDCondition, CustomResourceDefinition } from '../definition/crd-types.ts';

const states = {
  Approved: { status: 'True', reason: 'ApprovedAnnotation' },
  Bypassed: { status: 'False', reason: 'UnapprovedAnnotation' },
  Invalid: { status: 'False', reason: 'InvalidAnnotation' },
  Missing: { status: 'False', reason: 'MissingAnnotation' },
} as const;

/**
 * Whether an API of a protected group has been approved; undefined for other groups (pkg/controller/apiapproval, 1.36).
 */
export function approvalCondition(crd: CustomResourceDefinition): Omit<CRDCondition, 'lastTransitionTime'> | undefined {
  if (!isProtectedGroup(crd.spec.group)) return undefined;
  const { reason, state } = approvalOf(crd.metadata.annotations);
  return { type: 'KubernetesAPIApprovalPolicyConformant', ...states[state], message: reason };
}
