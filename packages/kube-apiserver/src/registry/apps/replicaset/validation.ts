import { FieldPath } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { ReplicaSet, ReplicaSetSpec } from '@kubechain/apimachinery/types/apps/v1';
import type { Capabilities } from '../../capabilities.ts';
import { immutable } from '../../validation/immutable.ts';
import { fields, notNegative } from '../../validation/rules.ts';
import { validateWorkloadSelector, validateWorkloadTemplate } from '../../core/workload-template.ts';

const specPath = FieldPath.of('spec');
const counts = fields<ReplicaSetSpec>({ replicas: notNegative, minReadySeconds: notNegative });

/**
 * Rules of replica sets (ValidateReplicaSetSpec of pkg/apis/apps/validation, 1.36; the reference says `deployment` of
 * their selectors, too).
 */
export function validateReplicaSet({ spec }: ReplicaSet, capabilities: Capabilities): FieldError[] {
  return [
    ...counts(spec, specPath),
    ...validateWorkloadSelector(spec?.selector, specPath.child('selector'), 'deployment'),
    ...validateWorkloadTemplate(spec ?? {}, specPath, capabilities),
  ];
}

/** The selector never changes. */
export function validateReplicaSetUpdate(set: ReplicaSet, old: ReplicaSet, capabilities: Capabilities): FieldError[] {
  return [
    ...validateReplicaSet(set, capabilities),
    ...immutable(specPath.child('selector'), set.spec?.selector, old.spec?.selector),
  ];
}
