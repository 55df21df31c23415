import type { HorizontalPodAutoscaler } from '@kubechain/apimachinery/types/autoscaling/v2';
import { expect } from 'chai';
import { defaultHorizontalPodAutoscaler } from './defaults.ts';

describe('defaults of autoscaling/v2', () => {
  const withAnnotations = (annotations: Record<string, string>): HorizontalPodAutoscaler => ({
    metadata: { name: 'a', annotations },
    spec: { maxReplicas: 1, scaleTargetRef: { kind: 'Deployment', name: 'd' } },
  });

  it('take away annotations in which autoscaling/v1 writes what v2 has fields for', () => {
    const some = withAnnotations({ a: 'b', 'autoscaling.alpha.kubernetes.io/metrics': '[]' });
    defaultHorizontalPodAutoscaler(some);
    expect(some.metadata).to.deep.equal({ name: 'a', annotations: { a: 'b' } });

    const all = withAnnotations({ 'autoscaling.alpha.kubernetes.io/behavior': '{}' });
    defaultHorizontalPodAutoscaler(all);
    expect(all.metadata).to.deep.equal({ name: 'a' });
  });

  it('keep other annotations', () => {
    const other = withAnnotations({ 'autoscaling.alpha.kubernetes.io/x': 'y' });
    defaultHorizontalPodAutoscaler(other);
    expect(other.metadata?.annotations).to.deep.equal({ 'autoscaling.alpha.kubernetes.io/x': 'y' });
  });
});
