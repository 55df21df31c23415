import type { FieldError } from '@kubechain/apimachinery';
import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerSpec,
  HPAScalingRules,
  MetricSpec,
} from '@kubechain/apimachinery/types/autoscaling/v2';
import { expect } from 'chai';
import {
  validateHorizontalPodAutoscaler,
  validateHorizontalPodAutoscalerStatus,
  validateHorizontalPodAutoscalerUpdate,
} from './validation.ts';
import { capabilitiesOf } from '../../capabilities.ts';

const capabilities = capabilitiesOf({ allowPrivileged: true });
const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
const utilization = { type: 'Utilization', averageUtilization: 80 };
const cpu = { type: 'Resource', resource: { name: 'cpu', target: utilization } };
const autoscaler = (spec: Partial<HorizontalPodAutoscalerSpec> = {}): HorizontalPodAutoscaler => ({
  spec: { scaleTargetRef: target, minReplicas: 1, maxReplicas: 2, metrics: [cpu], ...spec },
});
const created = (spec?: Partial<HorizontalPodAutoscalerSpec>) => (): readonly FieldError[] =>
  validateHorizontalPodAutoscaler(autoscaler(spec), capabilities);
const measured = (metric: object) => created({ metrics: [metric as MetricSpec] });
const scaled = (rules: HPAScalingRules) => created({ behavior: { scaleDown: rules } });
const onRequests = (about: object, amount: object): object => ({
  type: 'Object',
  object: { describedObject: { kind: 'Ingress', name: 'i', ...about }, metric: { name: 'requests' }, target: amount },
});
const policy = { type: 'Percent', value: 100, periodSeconds: 15 };

const rows: readonly (readonly [name: string, errors: () => readonly FieldError[], ...expected: string[]])[] = [
  ['an autoscaler', created()],
  [
    'no limit',
    created({ maxReplicas: 0 }),
    'spec.maxReplicas: Required value: must be set and greater than 0',
    'spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`',
  ],
  [
    'no replicas at all',
    created({ minReplicas: 0 }),
    'spec.minReplicas: Invalid value: 0: must be greater than or equal to 1',
    'spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas',
  ],
  [
    'a target of the core group',
    created({ scaleTargetRef: { ...target, apiVersion: 'v1' } }),
    'spec.scaleTargetRef.apiVersion: Invalid value: "v1": apiVersion must specify API group',
  ],
  ['a replication controller', created({ scaleTargetRef: { kind: 'ReplicationController', name: 'web' } })],
  [
    'a target without a version that is kept',
    () =>
      validateHorizontalPodAutoscalerUpdate(
        autoscaler({ scaleTargetRef: { kind: 'Deployment', name: 'other' } }),
        autoscaler({ scaleTargetRef: { kind: 'Deployment', name: 'web' } }),
        capabilities,
      ),
  ],
  [
    'no replicas that were allowed before',
    () =>
      validateHorizontalPodAutoscalerUpdate(
        autoscaler({ minReplicas: 0, metrics: [onRequests({}, { type: 'Value', value: '1' }) as MetricSpec] }),
        autoscaler({ minReplicas: 0 }),
        capabilities,
      ),
  ],
  [
    'a metric of no source',
    measured({ type: 'Resource' }),
    'spec.metrics[0].resource: Required value: must populate information for the given metric source',
  ],
  [
    'a metric of an unknown source',
    measured({ type: 'Weather', resource: cpu.resource }),
    ...Array<string>(2).fill(
      'spec.metrics[0].type: Unsupported value: "Weather": supported values: "ContainerResource", "External", ' +
        '"Object", "Pods", "Resource"',
    ),
  ],
  [
    'a metric of two sources',
    measured({ ...cpu, pods: { metric: { name: 'p' }, target: { type: 'AverageValue', averageValue: '1' } } }),
    'spec.metrics[0].pods: Forbidden: must populate the given metric source only',
  ],
  [
    'utilization and an amount',
    measured({ type: 'Resource', resource: { name: 'cpu', target: { ...utilization, averageValue: '1' } } }),
    'spec.metrics[0].resource.target.averageValue: Forbidden: may not set both a target raw value and a ' +
      'target utilization',
  ],
  [
    'a container without a name',
    measured({ type: 'ContainerResource', containerResource: { name: 'cpu', target: utilization } }),
    'spec.metrics[0].containerResource.container: Required value: must specify a container',
  ],
  [
    'an object metric without an amount',
    measured(onRequests({}, { type: 'Value' })),
    'spec.metrics[0].object.target.averageValue: Required value: must set either a target value or averageValue',
  ],
  [
    'an object of a version of three parts',
    measured(onRequests({ apiVersion: 'a/b/c' }, { type: 'Value', value: '0' })),
    'spec.metrics[0].object.describedObject.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
    'spec.metrics[0].object.target.value: Invalid value: "0": must be positive',
  ],
  [
    'no policies',
    scaled({ policies: [] }),
    'spec.behavior.scaleDown.policies: Required value: must specify at least one Policy',
  ],
  [
    'a long window and a negative tolerance',
    scaled({ policies: [policy], stabilizationWindowSeconds: 3601, tolerance: '-1' }),
    'spec.behavior.scaleDown.stabilizationWindowSeconds: Invalid value: 3601: must be less than or equal to 3600',
    'spec.behavior.scaleDown.tolerance: Invalid value: "-1": must be greater than or equal to 0',
  ],
  [
    'a policy of another type that lasts too long',
    scaled({ policies: [{ type: 'Nodes', value: 0, periodSeconds: 1801 }], selectPolicy: 'Any' }),
    'spec.behavior.scaleDown.selectPolicy: Unsupported value: "Any": supported values: "Disabled", "Max", "Min"',
    'spec.behavior.scaleDown.policies[0].type: Unsupported value: "Nodes": supported values: "Percent", "Pods"',
    'spec.behavior.scaleDown.policies[0].value: Invalid value: 0: must be greater than zero',
    'spec.behavior.scaleDown.policies[0].periodSeconds: Invalid value: 1801: must be less than or equal to 1800',
  ],
  [
    'a negative count',
    () => validateHorizontalPodAutoscalerStatus({ ...autoscaler(), status: { desiredReplicas: -1 } }),
    'status.desiredReplicas: Invalid value: -1: must be greater than or equal to 0',
  ],
];

describe('rules of horizontal pod autoscalers', () => {
  for (const [name, errors, ...expected] of rows)
    it(name, () => {
      expect(errors().map(String)).to.deep.equal(expected);
    });
});
