import { expect } from 'chai';
import type { Job } from '@kubechain/apimachinery/types/batch/v1';
import { hasGeneratedLabels } from './generated-labels.ts';

describe('hasGeneratedLabels', () => {
  const generated = { 'batch.kubernetes.io/controller-uid': 'u' };
  const job = (labels: Record<string, string>, ofPods: Record<string, string>): Job => ({
    metadata: { labels },
    spec: { template: { metadata: { labels: ofPods }, spec: { containers: [] } } },
  });
  it('tells of jobs that have the labels made for their pods, and no others', () => {
    expect(hasGeneratedLabels(job(generated, generated))).to.equal(true);
    expect(hasGeneratedLabels(job({ a: 'b' }, { a: 'b' }))).to.equal(false);
    expect(hasGeneratedLabels(job({ a: 'b' }, { a: 'b', ...generated }))).to.equal(false);
    expect(hasGeneratedLabels(job({}, generated))).to.equal(false);
  });
});
