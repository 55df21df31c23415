import { FieldPath, forbiddenValue, invalidValue, isValidPercent, notSupported, required, validateLabelSelector } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { Deployment, DeploymentSpec, DeploymentStrategy, RollingUpdateDeployment } from '@kubechain/apimachinery/types/apps/v1';
import { nonNegative } from '../../validation/bounds.ts';
import { immutable } from '../../validation/immutable.ts';
import { validateWorkloadTemplate } from '../workload-template.ts';

const specPath = FieldPath.of('spec');

/** Rules of deployments (ValidateDeploymentSpec of pkg/apis/apps/validation, 1.36). */
export function validateDeployment(deployment: Deployment): FieldError[] {
  const spec = deployment.spec as DeploymentSpec;
  const errors = [...nonNegative(specPath.child('replicas'), spec.replicas)];
  const selectorPath = specPath.child('selector');
  if (spec.selector === undefined) errors.push(required(selectorPath));
  else {
    errors.push(...validateLabelSelector(spec.selector, selectorPath));
    if (Object.keys(spec.selector.matchLabels ?? {}).length + (spec.selector.matchExpressions?.length ?? 0) === 0) errors.push(invalidValue(selectorPath, spec.selector, 'empty selector is invalid for deployment'));
  }
  errors.push(...validateWorkloadTemplate(spec, specPath), ...validateStrategy(spec.strategy ?? {}, specPath.child('strategy')), ...nonNegative(specPath.child('minReadySeconds'), spec.minReadySeconds), ...nonNegative(specPath.child('revisionHistoryLimit'), spec.revisionHistoryLimit));
  const deadline = spec.progressDeadlineSeconds;
  if (deadline !== undefined) {
    const path = specPath.child('progressDeadlineSeconds');
    errors.push(...nonNegative(path, deadline));
    if (deadline <= (spec.minReadySeconds ?? 0)) errors.push(invalidValue(path, deadline, 'must be greater than minReadySeconds'));
  }
  return errors;
}

/** The selector never changes. */
export function validateDeploymentUpdate(deployment: Deployment, old: Deployment): FieldError[] {
  return [...validateDeployment(deployment), ...immutable(specPath.child('selector'), deployment.spec?.selector, old.spec?.selector)];
}

function validateStrategy(strategy: DeploymentStrategy, path: FieldPath): FieldError[] {
  switch (strategy.type) {
    case 'Recreate': return strategy.rollingUpdate === undefined ? [] : [forbiddenValue(path.child('rollingUpdate'), "may not be specified when strategy `type` is 'Recreate'")];
    case 'RollingUpdate': return validateRollingUpdate(strategy.rollingUpdate ?? {}, path.child('rollingUpdate'));
    case undefined: return [];
    default: return [notSupported(path, strategy, ['Recreate', 'RollingUpdate'])];
  }
}

function validateRollingUpdate({ maxSurge = 0, maxUnavailable = 0 }: RollingUpdateDeployment, path: FieldPath): FieldError[] {
  const errors = [...validateAmount(maxUnavailable, path.child('maxUnavailable')), ...validateAmount(maxSurge, path.child('maxSurge'))];
  if (number(maxUnavailable) === 0 && number(maxSurge) === 0) errors.push(invalidValue(path.child('maxUnavailable'), maxUnavailable, 'may not be 0 when `maxSurge` is 0'));
  if (typeof maxUnavailable === 'string' && number(maxUnavailable) > 100) errors.push(invalidValue(path.child('maxUnavailable'), maxUnavailable, 'must not be greater than 100%'));
  return errors;
}

function validateAmount(value: number | string, path: FieldPath): FieldError[] {
  return typeof value === 'number' ? nonNegative(path, value) : isValidPercent(value).map((message) => invalidValue(path, value, message));
}

/** The number itself, or the number of per cent. */
function number(value: number | string): number {
  if (typeof value === 'number') return value;
  return isValidPercent(value).length === 0 ? Number(value.slice(0, -1)) : 0;
}
