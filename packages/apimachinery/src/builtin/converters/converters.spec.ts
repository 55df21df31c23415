import { expect } from 'chai';
import type { KubeObject } from '../../object/object.ts';
import { builtinScheme } from '../builtin-scheme.ts';

const scheme = builtinScheme();
function convert(object: KubeObject, group: string, version: string): KubeObject {
  const converted = scheme.convert(structuredClone(object), { group, version });
  if (converted instanceof Promise) throw new TypeError('built-in conversions do not wait');
  return converted;
}

describe('event conversion', () => {
  it('renames both ways without loss', () => {
    const event = {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: 'e' },
      eventTime: '2020-01-01T00:00:00.000000Z',
      reportingController: 'c',
      reportingInstance: 'i',
      action: 'a',
      reason: 'r',
      regarding: { kind: 'Pod', name: 'p' },
      note: 'n',
      type: 'Normal',
      deprecatedCount: 2,
      deprecatedSource: { component: 's' },
    };
    const core = convert(event, '', 'v1');
    expect(core).to.deep.include({
      apiVersion: 'v1',
      involvedObject: { kind: 'Pod', name: 'p' },
      message: 'n',
      reportingComponent: 'c',
      count: 2,
      source: { component: 's' },
    });
    expect(convert(core, 'events.k8s.io', 'v1')).to.deep.equal(event);
  });
});

describe('autoscaler conversion', () => {
  const v2 = {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'h', annotations: { mine: 'x' } },
    spec: {
      scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' },
      minReplicas: 2,
      maxReplicas: 5,
      metrics: [
        { type: 'Pods', pods: { metric: { name: 'rps' }, target: { type: 'AverageValue', averageValue: '10' } } },
        {
          type: 'Object',
          object: {
            describedObject: { kind: 'Service', name: 's' },
            target: { type: 'Value', value: '3' },
            metric: { name: 'queue', selector: { matchLabels: { a: 'b' } } },
          },
        },
        { type: 'External', external: { metric: { name: 'x' }, target: { type: 'AverageValue', averageValue: '7' } } },
        {
          type: 'ContainerResource',
          containerResource: {
            name: 'memory',
            target: { type: 'AverageValue', averageValue: '1Gi' },
            container: 'app',
          },
        },
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } } },
      ],
      behavior: {
        scaleDown: {
          stabilizationWindowSeconds: 60,
          selectPolicy: 'Min',
          policies: [{ type: 'Pods', value: 1, periodSeconds: 30 }],
        },
      },
    },
    status: {
      currentReplicas: 2,
      desiredReplicas: 3,
      currentMetrics: [
        { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 55, averageValue: '100m' } } },
      ],
      conditions: [
        { type: 'AbleToScale', status: 'True', lastTransitionTime: '2020-01-01T00:00:00Z', reason: 'R', message: 'm' },
      ],
    },
  };

  it('keeps in annotations what v1 cannot say', () => {
    const v1 = convert(v2, 'autoscaling', 'v1');
    expect(v1['spec']).to.deep.equal({
      scaleTargetRef: v2.spec.scaleTargetRef,
      minReplicas: 2,
      maxReplicas: 5,
      targetCPUUtilizationPercentage: 60,
    });
    expect(v1['status']).to.deep.equal({ currentReplicas: 2, desiredReplicas: 3, currentCPUUtilizationPercentage: 55 });
    const annotations = v1.metadata?.annotations ?? {};
    expect(Object.keys(annotations).toSorted()).to.deep.equal([
      'autoscaling.alpha.kubernetes.io/behavior',
      'autoscaling.alpha.kubernetes.io/conditions',
      'autoscaling.alpha.kubernetes.io/current-metrics',
      'autoscaling.alpha.kubernetes.io/metrics',
      'mine',
    ]);
    expect(annotations['autoscaling.alpha.kubernetes.io/current-metrics']).to.equal(
      '[{"type":"Resource","resource":{"name":"cpu","currentAverageUtilization":55,"currentAverageValue":"100m"}}]',
    );
    expect(annotations['autoscaling.alpha.kubernetes.io/behavior']).to.equal(
      '{"ScaleUp":null,"ScaleDown":{"StabilizationWindowSeconds":60,"SelectPolicy":"Min",' +
        '"Policies":[{"Type":"Pods","Value":1,"PeriodSeconds":30}],"Tolerance":null}}',
    );
  });

  it('gives the same object back', () => {
    expect(convert(convert(v2, 'autoscaling', 'v1'), 'autoscaling', 'v2')).to.deep.equal(v2);
  });

  it('aims at 80 % CPU when v1 says nothing', () => {
    const converted = convert(
      {
        apiVersion: 'autoscaling/v1',
        kind: 'HorizontalPodAutoscaler',
        metadata: { name: 'h' },
        spec: { maxReplicas: 3, scaleTargetRef: { kind: 'D', name: 'd' } },
      },
      'autoscaling',
      'v2',
    );
    expect((converted['spec'] as Record<string, unknown>)['metrics']).to.deep.equal([
      { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
    ]);
  });
});
