import { FieldPath, invalidValue } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import { nonNegative } from './bounds.ts';

/** The counts that statuses of replicated workloads share. */
interface ReplicaStatus {
  readonly replicas?: number;
  readonly fullyLabeledReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly updatedReplicas?: number;
  readonly unavailableReplicas?: number;
  readonly terminatingReplicas?: number;
  readonly observedGeneration?: number;
}

const path = FieldPath.of('status');

/**
 * Rules of the status of replica sets and replication controllers (ValidateReplicaSetStatus of
 * pkg/apis/apps/validation, 1.36).
 */
export function validateReplicaStatus({ status = {} }: { readonly status?: ReplicaStatus }): FieldError[] {
  return validateCounts(
    status,
    [
      'replicas',
      'fullyLabeledReplicas',
      'readyReplicas',
      'availableReplicas',
      'observedGeneration',
      'terminatingReplicas',
    ],
    ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'],
  );
}

/** Rules of the status of deployments. */
export function validateDeploymentStatus(
  { status = {} }: { readonly status?: ReplicaStatus & { readonly collisionCount?: number } },
  old: { readonly status?: { readonly collisionCount?: number } },
): FieldError[] {
  const errors = validateCounts(
    status,
    [
      'observedGeneration',
      'replicas',
      'updatedReplicas',
      'readyReplicas',
      'availableReplicas',
      'unavailableReplicas',
      'terminatingReplicas',
    ],
    ['updatedReplicas', 'readyReplicas', 'availableReplicas'],
    nonNegative(path.child('collisionCount'), status.collisionCount),
  );
  const before = old.status?.collisionCount;
  if (before !== undefined && (status.collisionCount === undefined || status.collisionCount < before))
    errors.push(invalidValue(path.child('collisionCount'), status.collisionCount ?? 0, 'cannot be decremented'));
  return errors;
}

function validateCounts(
  status: ReplicaStatus,
  counts: readonly (keyof ReplicaStatus)[],
  parts: readonly (keyof ReplicaStatus)[],
  more: readonly FieldError[] = [],
): FieldError[] {
  const errors = [...counts.flatMap((field) => nonNegative(path.child(field), status[field])), ...more];
  for (const field of parts)
    if ((status[field] ?? 0) > (status.replicas ?? 0))
      errors.push(invalidValue(path.child(field), status[field] ?? 0, 'cannot be greater than status.replicas'));
  if ((status.availableReplicas ?? 0) > (status.readyReplicas ?? 0))
    errors.push(
      invalidValue(
        path.child('availableReplicas'),
        status.availableReplicas ?? 0,
        'cannot be greater than readyReplicas',
      ),
    );
  return errors;
}
