import { FieldPath, forbiddenValue } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { Lease } from '@kubechain/apimachinery/types/coordination/v1';
import { validateElectionStrategy } from '../strategy-rules.ts';
import { nonNegative, positive } from '../../validation/bounds.ts';

const spec = FieldPath.of('spec');

/** Rules of leases (ValidateLeaseSpec of pkg/apis/coordination/validation, 1.36). */
export function validateLease(lease: Lease): FieldError[] {
  const { leaseDurationSeconds, leaseTransitions, preferredHolder, strategy } = lease.spec ?? {};
  return [
    ...positive(spec.child('leaseDurationSeconds'), leaseDurationSeconds),
    ...nonNegative(spec.child('leaseTransitions'), leaseTransitions),
    ...(strategy === undefined ? [] : validateElectionStrategy(spec.child('strategy'), strategy)),
    ...(preferredHolder && !strategy
      ? [forbiddenValue(spec.child('preferredHolder'), 'may only be specified if `strategy` is defined')]
      : []),
  ];
}
