import { append, FieldPath, Quantity, invalidValue, notSupported, required } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type {
  HPAScalingPolicy,
  HPAScalingRules,
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerSpec,
} from '@kubechain/apimachinery/types/autoscaling/v2';
import type { Capabilities } from '../../capabilities.ts';
import { nonNegative } from '../../validation/bounds.ts';
import { apiVersionProblem, validateMetrics, validateReference } from './metrics-validation.ts';
import type { APIVersionRule } from './metrics-validation.ts';

const specPath = FieldPath.of('spec');
const statusPath = FieldPath.of('status');
const maxPeriodSeconds = 1800;
const maxStabilizationWindowSeconds = 3600;
const selectPolicies = ['Disabled', 'Max', 'Min'];
const policyTypes = ['Percent', 'Pods'];

/** Rules of new autoscalers (ValidateHorizontalPodAutoscaler of pkg/apis/autoscaling/validation, 1.36). */
export function validateHorizontalPodAutoscaler(
  autoscaler: HorizontalPodAutoscaler,
  capabilities: Capabilities,
): FieldError[] {
  return validateSpec(autoscaler, capabilities, undefined);
}

/** The same for an update, which may leave a bad apiVersion or no replicas as they were. */
export function validateHorizontalPodAutoscalerUpdate(
  autoscaler: HorizontalPodAutoscaler,
  old: HorizontalPodAutoscaler,
  capabilities: Capabilities,
): FieldError[] {
  return validateSpec(autoscaler, capabilities, old);
}

/** Counts are not negative (ValidateHorizontalPodAutoscalerStatusUpdate). */
export function validateHorizontalPodAutoscalerStatus({ status }: HorizontalPodAutoscaler): FieldError[] {
  return [
    ...nonNegative(statusPath.child('currentReplicas'), status?.currentReplicas),
    ...nonNegative(statusPath.child('desiredReplicas'), status?.desiredReplicas),
  ];
}

function validateSpec(
  { spec }: HorizontalPodAutoscaler,
  { enabled }: Capabilities,
  old: HorizontalPodAutoscaler | undefined,
): FieldError[] {
  const {
    behavior,
    maxReplicas = 0,
    metrics = [],
    minReplicas,
    scaleTargetRef,
  } = (spec ?? {}) as Partial<HorizontalPodAutoscalerSpec>;
  const errors: FieldError[] = [];
  const lowest = enabled('HPAScaleToZero') || old?.spec?.minReplicas === 0 ? 0 : 1;
  if (minReplicas !== undefined && minReplicas < lowest)
    errors.push(
      invalidValue(specPath.child('minReplicas'), minReplicas, `must be greater than or equal to ${String(lowest)}`),
    );
  const maxPath = specPath.child('maxReplicas');
  if (maxReplicas === 0) errors.push(required(maxPath, 'must be set and greater than 0'));
  else if (maxReplicas < 0) errors.push(invalidValue(maxPath, maxReplicas, 'must be greater than or equal to 1'));
  if (minReplicas !== undefined && maxReplicas < minReplicas)
    errors.push(invalidValue(maxPath, maxReplicas, 'must be greater than or equal to `minReplicas`'));
  append(errors, validateReference(scaleTargetRef, specPath.child('scaleTargetRef'), targetRule(scaleTargetRef, old)));
  append(
    errors,
    validateMetrics(metrics, specPath.child('metrics'), { minReplicas, describedObjects: describedObjectRule(old) }),
  );
  for (const direction of ['scaleUp', 'scaleDown'] as const) {
    const rules = behavior?.[direction];
    if (rules !== undefined) append(errors, validateScalingRules(rules, specPath.child('behavior', direction)));
  }
  return errors;
}

interface TargetReference {
  readonly apiVersion?: string;
  readonly kind?: string;
}

/** Replication controllers are the one kind of the core group that scales. */
function targetRule(target: TargetReference | undefined, old: HorizontalPodAutoscaler | undefined): APIVersionRule {
  const was: TargetReference | undefined = old?.spec?.scaleTargetRef;
  if (
    old !== undefined &&
    (was?.apiVersion ?? '') === (target?.apiVersion ?? '') &&
    (was?.kind ?? '') === (target?.kind ?? '')
  )
    return 'any';
  return target?.kind === 'ReplicationController' ? 'text' : 'group';
}

function describedObjectRule(old: HorizontalPodAutoscaler | undefined): APIVersionRule {
  const wasBad = old?.spec?.metrics?.some(
    ({ type, object }) =>
      type === 'Object' &&
      object !== undefined &&
      apiVersionProblem((object.describedObject as TargetReference | undefined)?.apiVersion ?? '', 'text') !==
        undefined,
  );
  return wasBad === true ? 'any' : 'text';
}

function validateScalingRules(
  { policies = [], selectPolicy, stabilizationWindowSeconds: window, tolerance }: HPAScalingRules,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const windowPath = path.child('stabilizationWindowSeconds');
  if (window !== undefined && window < 0)
    errors.push(invalidValue(windowPath, window, 'must be greater than or equal to zero'));
  if (window !== undefined && window > maxStabilizationWindowSeconds)
    errors.push(
      invalidValue(windowPath, window, `must be less than or equal to ${String(maxStabilizationWindowSeconds)}`),
    );
  if (selectPolicy !== undefined && !selectPolicies.includes(selectPolicy))
    errors.push(notSupported(path.child('selectPolicy'), selectPolicy, selectPolicies));
  if (policies.length === 0) errors.push(required(path.child('policies'), 'must specify at least one Policy'));
  append(
    errors,
    policies.flatMap((policy, i) => validateScalingPolicy(policy, path.child('policies').index(i))),
  );
  if (tolerance !== undefined && Quantity.parse(tolerance).sign < 0)
    errors.push(invalidValue(path.child('tolerance'), tolerance, 'must be greater than or equal to 0'));
  return errors;
}

function validateScalingPolicy(
  { periodSeconds = 0, type = '', value = 0 }: Partial<HPAScalingPolicy>,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = policyTypes.includes(type) ? [] : [notSupported(path.child('type'), type, policyTypes)];
  const periodPath = path.child('periodSeconds');
  if (value <= 0) errors.push(invalidValue(path.child('value'), value, 'must be greater than zero'));
  if (periodSeconds <= 0) errors.push(invalidValue(periodPath, periodSeconds, 'must be greater than zero'));
  if (periodSeconds > maxPeriodSeconds)
    errors.push(invalidValue(periodPath, periodSeconds, `must be less than or equal to ${String(maxPeriodSeconds)}`));
  return errors;
}
