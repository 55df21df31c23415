import {
  append,
  Quantity,
  forbiddenValue,
  invalidValue,
  isDNS1123Label,
  isPathSegmentName,
  notSupported,
  required,
  textByPointer,
} from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import type {
  ContainerResourceMetricSource,
  CrossVersionObjectReference,
  ExternalMetricSource,
  MetricIdentifier,
  MetricSpec,
  MetricTarget,
  ObjectMetricSource,
  PodsMetricSource,
  ResourceMetricSource,
} from '@kubechain/apimachinery/types/autoscaling/v2';
import { validateContainerResourceName } from '../../core/resource-name.ts';
import { filled, needed } from '../../validation/rules.ts';
import type { Rule } from '../../validation/rules.ts';

/** How strictly the apiVersion of a reference is checked: not at all, as text, or as text that names a group. */
export type APIVersionRule = 'any' | 'text' | 'group';

const metricTypes = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];
const targetTypes = ['Utilization', 'Value', 'AverageValue'];
const pathSegment: Rule<string> = (name, path) =>
  isPathSegmentName(name).map((message) => invalidValue(path, name, message));
const neededSegment = needed(pathSegment);

/**
 * A reference to what is scaled or measured (ValidateCrossVersionObjectReference of pkg/apis/autoscaling/validation,
 * 1.36).
 */
export function validateReference(
  reference: Partial<CrossVersionObjectReference> | undefined,
  path: FieldPath,
  rule: APIVersionRule,
): FieldError[] {
  const { apiVersion = '', kind, name } = reference ?? {};
  const problem = apiVersionProblem(apiVersion, rule);
  return [
    ...neededSegment(kind, path.child('kind')),
    ...neededSegment(name, path.child('name')),
    ...(problem === undefined ? [] : [invalidValue(path.child('apiVersion'), apiVersion, problem)]),
  ];
}

/** What is wrong with an apiVersion, if anything. */
export function apiVersionProblem(apiVersion: string, rule: APIVersionRule): string | undefined {
  if (rule === 'any') return undefined;
  const parts = apiVersion.split('/');
  if (parts.length > 2) return `unexpected GroupVersion string: ${apiVersion}`;
  return rule === 'group' && (parts.length < 2 || parts[0] === '') ? 'apiVersion must specify API group' : undefined;
}

/** Each metric for itself; without replicas there must be something to measure (validateMetrics). */
export function validateMetrics(
  metrics: readonly MetricSpec[],
  path: FieldPath,
  {
    minReplicas,
    describedObjects,
  }: { readonly minReplicas: number | undefined; readonly describedObjects: APIVersionRule },
): FieldError[] {
  const errors = metrics.flatMap((metric, i) => validateMetric(metric, path.index(i), describedObjects));
  const scalesFromZero = metrics.some(({ type }) => type === 'Object' || type === 'External');
  if (minReplicas === 0 && !scalesFromZero)
    errors.push(
      forbiddenValue(path, 'must specify at least one Object or External metric to support scaling to zero replicas'),
    );
  return errors;
}

function validateMetric(metric: MetricSpec, path: FieldPath, describedObjects: APIVersionRule): FieldError[] {
  const type: string | undefined = metric.type;
  const errors: FieldError[] =
    (type ?? '') === '' ? [required(path.child('type'), 'must specify a metric source type')] : [];
  const known = metricTypes.includes(type ?? '');
  if (!known) errors.push(notSupported(path.child('type'), type ?? '', metricTypes));
  const sources = presentSources(metric, describedObjects);
  const first = sources[0];
  if (first !== undefined) append(errors, first.validate(path.child(first.name)));
  const expected = known ? `${type?.charAt(0).toLowerCase() ?? ''}${type?.slice(1) ?? ''}` : undefined;
  if (expected === undefined) errors.push(notSupported(path.child('type'), type ?? '', metricTypes));
  else if (!sources.some(({ name }) => name === expected))
    errors.push(required(path.child(expected), 'must populate information for the given metric source'));
  if (sources.length > 1)
    for (const { name } of sources)
      if (name !== expected)
        errors.push(forbiddenValue(path.child(name), 'must populate the given metric source only'));
  return errors;
}

interface Source {
  readonly name: string;
  readonly validate: (path: FieldPath) => FieldError[];
}

/** The sources that are there, in the order in which they are looked at. */
function presentSources(
  { object, external, pods, resource, containerResource }: MetricSpec,
  describedObjects: APIVersionRule,
): Source[] {
  return [
    ...(object === undefined
      ? []
      : [{ name: 'object', validate: (path: FieldPath) => validateObjectSource(object, path, describedObjects) }]),
    ...(external === undefined
      ? []
      : [{ name: 'external', validate: (path: FieldPath) => validateExternalSource(external, path) }]),
    ...(pods === undefined ? [] : [{ name: 'pods', validate: (path: FieldPath) => validatePodsSource(pods, path) }]),
    ...(resource === undefined
      ? []
      : [{ name: 'resource', validate: (path: FieldPath) => validateResourceSource(resource, path) }]),
    ...(containerResource === undefined
      ? []
      : [
          {
            name: 'containerResource',
            validate: (path: FieldPath) => validateContainerResourceSource(containerResource, path),
          },
        ]),
  ];
}

function validateObjectSource(
  { describedObject, metric, target }: Partial<ObjectMetricSource>,
  path: FieldPath,
  describedObjects: APIVersionRule,
): FieldError[] {
  const errors = [
    ...validateReference(describedObject, path.child('describedObject'), describedObjects),
    ...validateIdentified(metric, target, path),
  ];
  if (target?.value === undefined && target?.averageValue === undefined)
    errors.push(required(path.child('target', 'averageValue'), 'must set either a target value or averageValue'));
  return errors;
}

function validateExternalSource({ metric, target }: Partial<ExternalMetricSource>, path: FieldPath): FieldError[] {
  const errors = validateIdentified(metric, target, path);
  const at = path.child('target');
  if (target?.value === undefined && target?.averageValue === undefined)
    errors.push(required(at.child('averageValue'), 'must set either a target value for metric or a per-pod target'));
  if (target?.value !== undefined && target.averageValue !== undefined)
    errors.push(forbiddenValue(at.child('value'), 'may not set both a target value for metric and a per-pod target'));
  return errors;
}

function validatePodsSource({ metric, target }: Partial<PodsMetricSource>, path: FieldPath): FieldError[] {
  const errors = validateIdentified(metric, target, path);
  if (target?.averageValue === undefined)
    errors.push(required(path.child('target', 'averageValue'), 'must specify a positive target averageValue'));
  return errors;
}

function validateIdentified(
  metric: Partial<MetricIdentifier> | undefined,
  target: Partial<MetricTarget> | undefined,
  path: FieldPath,
): FieldError[] {
  return [
    ...needed(pathSegment, 'must specify a metric name')(metric?.name, path.child('metric', 'name')),
    ...validateTarget(target, path.child('target')),
  ];
}

function validateResourceSource({ name, target }: Partial<ResourceMetricSource>, path: FieldPath): FieldError[] {
  return [
    ...needed<string>(undefined, 'must specify a resource name')(name, path.child('name')),
    ...validateResourceTarget(target, path.child('target')),
  ];
}

const containerLabel: Rule<string> = (name, path) =>
  isDNS1123Label(name).map((message) => invalidValue(path, name, message));

function validateContainerResourceSource(
  { container, name, target }: Partial<ContainerResourceMetricSource>,
  path: FieldPath,
): FieldError[] {
  return [
    ...needed(validateContainerResourceName, 'must specify a resource name')(name, path.child('name')),
    ...needed(containerLabel, 'must specify a container')(container, path.child('container')),
    ...validateResourceTarget(target, path.child('target')),
  ];
}

function validateResourceTarget(target: Partial<MetricTarget> | undefined, path: FieldPath): FieldError[] {
  const errors = validateTarget(target, path);
  if (target?.averageUtilization === undefined && target?.averageValue === undefined)
    errors.push(
      required(path.child('averageUtilization'), 'must set either a target raw value or a target utilization'),
    );
  if (target?.averageUtilization !== undefined && target.averageValue !== undefined)
    errors.push(
      forbiddenValue(path.child('averageValue'), 'may not set both a target raw value and a target utilization'),
    );
  return errors;
}

const positiveAmount: Rule<string> = (text, path) =>
  Quantity.parse(text).sign > 0 ? [] : [invalidValue(path, text, 'must be positive')];

function validateTarget(target: Partial<MetricTarget> | undefined, path: FieldPath): FieldError[] {
  const { averageUtilization, averageValue, type = '', value } = target ?? {};
  const errors: FieldError[] = type === '' ? [required(path.child('type'), 'must specify a metric target type')] : [];
  if (!targetTypes.includes(type))
    errors.push(
      invalidValue(path.child('type'), textByPointer(type), 'must be either Utilization, Value, or AverageValue'),
    );
  append(errors, filled(positiveAmount)(value, path.child('value')));
  append(errors, filled(positiveAmount)(averageValue, path.child('averageValue')));
  if (averageUtilization !== undefined && averageUtilization < 1)
    errors.push(invalidValue(path.child('averageUtilization'), averageUtilization, 'must be greater than 0'));
  return errors;
}
