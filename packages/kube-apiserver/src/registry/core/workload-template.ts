import {
  forbiddenValue,
  FormatError,
  invalidValue,
  notSupported,
  printed,
  required,
  selectorFromObject,
  validateLabelSelector,
} from '@kubechain/apimachinery';
import type { FieldError, FieldPath, LabelSelectorObject } from '@kubechain/apimachinery';
import type { PodTemplateSpec } from '@kubechain/apimachinery/types/core/v1';
import type { Capabilities } from '../capabilities.ts';
import { validatePodTemplate } from './pod/validation/pod-spec.ts';
import { publishedForm } from '../validation/internal-form.ts';

/**
 * Rules of the template in a workload whose pods are kept running: it carries what the selector looks for
 * (ValidatePodTemplateSpecForReplicaSet of pkg/apis/apps/validation, 1.36).
 */
export function validateWorkloadTemplate(
  { selector, template = {} }: { readonly selector?: LabelSelectorObject; readonly template?: PodTemplateSpec },
  specPath: FieldPath,
  capabilities: Capabilities,
): FieldError[] {
  const path = specPath.child('template');
  const errors: FieldError[] = [];
  try {
    const wanted = selectorFromObject(selector);
    const labels = template.metadata?.labels;
    if (!wanted.empty && !wanted.matches(labels))
      errors.push(
        invalidValue(
          path.child('metadata', 'labels'),
          publishedForm(printed(template.metadata, 'labels')),
          '`selector` does not match template `labels`',
        ),
      );
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return [invalidValue(specPath.child('selector'), publishedForm(selector), 'invalid label selector')];
  }
  return [
    ...errors,
    ...validatePodTemplate(template, path, capabilities),
    ...keepsRunning(template, path, 'ReplicaSet'),
  ];
}

/** Pods of a workload that is no job run until they are taken away. */
export function keepsRunning({ spec }: PodTemplateSpec, path: FieldPath, kind: string): FieldError[] {
  const policy = spec?.restartPolicy;
  return [
    ...(policy === 'Always' ? [] : [notSupported(path.child('spec', 'restartPolicy'), policy ?? '', ['Always'])]),
    ...(spec?.activeDeadlineSeconds === undefined
      ? []
      : [
          forbiddenValue(
            path.child('spec', 'activeDeadlineSeconds'),
            `activeDeadlineSeconds in ${kind} is not Supported`,
          ),
        ]),
  ];
}

/** The template's labels are what the selector looks for. undefined: the selector is malformed. */
export function selectsTemplate(
  selector: LabelSelectorObject | undefined,
  template: PodTemplateSpec | undefined,
): boolean | undefined {
  try {
    return selectorFromObject(selector).matches(template?.metadata?.labels ?? {});
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}

/** A selector that must be there and select something. */
export function validateWorkloadSelector(
  selector: LabelSelectorObject | undefined,
  path: FieldPath,
  kind: string,
): FieldError[] {
  if (selector === undefined) return [required(path)];
  const errors = validateLabelSelector(selector, path);
  if (Object.keys(selector.matchLabels ?? {}).length + (selector.matchExpressions?.length ?? 0) === 0)
    errors.push(invalidValue(path, selector, `empty selector is invalid for ${kind}`));
  return errors;
}
