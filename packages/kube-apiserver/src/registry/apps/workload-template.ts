import { FormatError, forbiddenValue, invalidValue, notSupported, selectorFromObject } from '@kubechain/apimachinery';
import type { FieldError, FieldPath, LabelSelectorObject } from '@kubechain/apimachinery';
import type { PodTemplateSpec } from '@kubechain/apimachinery/types/core/v1';
import { validatePodTemplate } from '../core/pod/validation/pod-spec.ts';

/** Rules of the template in a workload whose pods are kept running: it carries what the selector looks for (ValidatePodTemplateSpecForReplicaSet of pkg/apis/apps/validation, 1.36). */
export function validateWorkloadTemplate({ selector, template = {} }: { readonly selector?: LabelSelectorObject; readonly template?: PodTemplateSpec }, specPath: FieldPath): FieldError[] {
  const path = specPath.child('template');
  const errors: FieldError[] = [];
  try {
    const wanted = selectorFromObject(selector);
    const labels = template.metadata?.labels;
    if (!wanted.empty && !wanted.matches(labels)) errors.push(invalidValue(path.child('metadata', 'labels'), labels ?? null, '`selector` does not match template `labels`'));
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return [invalidValue(specPath.child('selector'), selector, 'invalid label selector')];
  }
  errors.push(...validatePodTemplate(template, path));
  const policy = template.spec?.restartPolicy;
  if (policy !== 'Always') errors.push(notSupported(path.child('spec', 'restartPolicy'), policy ?? '', ['Always']));
  if (template.spec?.activeDeadlineSeconds !== undefined) errors.push(forbiddenValue(path.child('spec', 'activeDeadlineSeconds'), 'activeDeadlineSeconds in ReplicaSet is not Supported'));
  return errors;
}
