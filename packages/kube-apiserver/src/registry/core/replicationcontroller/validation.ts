import { FieldPath, invalidValue, printed, required } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { ReplicationController } from '@kubechain/apimachinery/types/core/v1';
import type { Capabilities } from '../../capabilities.ts';
import { keepsRunning } from '../workload-template.ts';
import { needed, notNegative } from '../../validation/rules.ts';
import { validatePodTemplate } from '../pod/validation/pod-spec.ts';
import { publishedForm } from '../../validation/internal-form.ts';

const specPath = FieldPath.of('spec');

/**
 * Rules of replication controllers, whose selectors are plain maps (ValidateReplicationControllerSpec of
 * pkg/apis/core/validation, 1.36).
 */
export function validateReplicationController(
  { spec = {} }: ReplicationController,
  capabilities: Capabilities,
): FieldError[] {
  const { minReadySeconds, replicas, selector = {}, template } = spec;
  const path = specPath.child('template');
  const errors = [
    ...notNegative(minReadySeconds, specPath.child('minReadySeconds')),
    ...(Object.keys(selector).length === 0 ? [required(specPath.child('selector'))] : []),
    ...needed(notNegative)(replicas, specPath.child('replicas')),
  ];
  if (template === undefined) return [...errors, required(path)];
  const labels = template.metadata?.labels;
  if (!Object.entries(selector).every(([key, value]) => labels?.[key] === value))
    errors.push(
      invalidValue(
        path.child('metadata', 'labels'),
        publishedForm(printed(template.metadata, 'labels')),
        '`selector` does not match template `labels`',
      ),
    );
  return [
    ...errors,
    ...validatePodTemplate(template, path, capabilities),
    ...keepsRunning(template, path, 'ReplicationController'),
  ];
}
