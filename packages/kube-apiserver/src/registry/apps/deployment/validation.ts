import { append, FieldPath, forbiddenValue, invalidValue, notSupported } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type {
  Deployment,
  DeploymentSpec,
  DeploymentStrategy,
  RollingUpdateDeployment,
} from '@kubechain/apimachinery/types/apps/v1';
import type { Capabilities } from '../../capabilities.ts';
import { nonNegative } from '../../validation/bounds.ts';
import { immutable } from '../../validation/immutable.ts';
import { intOrPercentValue, notMoreThan100Percent, positiveIntOrPercent } from '../../validation/int-or-percent.ts';
import { internalForm } from '../../validation/internal-form.ts';
import { validateWorkloadSelector, validateWorkloadTemplate } from '../../core/workload-template.ts';

const specPath = FieldPath.of('spec');

/** Rules of deployments (ValidateDeploymentSpec of pkg/apis/apps/validation, 1.36). */
export function validateDeployment(deployment: Deployment, capabilities: Capabilities): FieldError[] {
  const spec = deployment.spec as DeploymentSpec;
  const errors = [...nonNegative(specPath.child('replicas'), spec.replicas)];
  append(errors, validateWorkloadSelector(spec.selector, specPath.child('selector'), 'deployment'));
  append(errors, validateWorkloadTemplate(spec, specPath, capabilities));
  append(errors, validateStrategy(spec.strategy ?? {}, specPath.child('strategy')));
  append(errors, nonNegative(specPath.child('minReadySeconds'), spec.minReadySeconds));
  append(errors, nonNegative(specPath.child('revisionHistoryLimit'), spec.revisionHistoryLimit));
  const deadline = spec.progressDeadlineSeconds;
  if (deadline !== undefined) {
    const path = specPath.child('progressDeadlineSeconds');
    append(errors, nonNegative(path, deadline));
    if (deadline <= (spec.minReadySeconds ?? 0))
      errors.push(invalidValue(path, deadline, 'must be greater than minReadySeconds'));
  }
  return errors;
}

/** The selector never changes. */
export function validateDeploymentUpdate(
  deployment: Deployment,
  old: Deployment,
  capabilities: Capabilities,
): FieldError[] {
  return [
    ...validateDeployment(deployment, capabilities),
    ...immutable(specPath.child('selector'), deployment.spec?.selector, old.spec?.selector),
  ];
}

function validateStrategy(strategy: DeploymentStrategy, path: FieldPath): FieldError[] {
  switch (strategy.type) {
    case 'Recreate':
      return strategy.rollingUpdate === undefined
        ? []
        : [forbiddenValue(path.child('rollingUpdate'), "may not be specified when strategy `type` is 'Recreate'")];
    case 'RollingUpdate':
      return validateRollingUpdate(strategy.rollingUpdate ?? {}, path.child('rollingUpdate'));
    case undefined:
      return [];
    default:
      return [notSupported(path, internalForm('apps.DeploymentStrategy', strategy), ['Recreate', 'RollingUpdate'])];
  }
}

function validateRollingUpdate(
  { maxSurge = 0, maxUnavailable = 0 }: RollingUpdateDeployment,
  path: FieldPath,
): FieldError[] {
  const errors = [
    ...positiveIntOrPercent(maxUnavailable, path.child('maxUnavailable')),
    ...positiveIntOrPercent(maxSurge, path.child('maxSurge')),
  ];
  if (intOrPercentValue(maxUnavailable) === 0 && intOrPercentValue(maxSurge) === 0)
    errors.push(invalidValue(path.child('maxUnavailable'), maxUnavailable, 'may not be 0 when `maxSurge` is 0'));
  return [...errors, ...notMoreThan100Percent(maxUnavailable, path.child('maxUnavailable'))];
}
