import { expect } from 'chai';
import type { KubeObject } from '@kubechain/apimachinery';
import type { RESTContext } from '@kubechain/apiserver/resources';
import { apiServiceStatusStrategy } from './strategy.ts';

describe('the status endpoint of APIServices', () => {
  it('keeps spec, labels, annotations, finalizers and owners, in the metadata that is checked next', async () => {
    const kept = { labels: { a: 'b' }, annotations: undefined, finalizers: ['x/y'], ownerReferences: undefined };
    const metadata = {
      name: 'v1.g',
      generateName: 'kept',
      resourceVersion: '2',
      labels: { 'Bad Key!': 'v' },
      annotations: { 'Bad Key!': 'v' },
      ownerReferences: [{ apiVersion: 'v1', kind: 'K', name: 'n', uid: 'u' }],
    };
    const object: KubeObject = { metadata, spec: { group: 'other' }, status: {} };
    await apiServiceStatusStrategy.prepareForUpdate?.(
      object,
      {
        metadata: { name: 'v1.g', resourceVersion: '1', labels: { a: 'b' }, finalizers: ['x/y'] },
        spec: { group: 'g' },
      },
      undefined as unknown as RESTContext,
    );
    expect(object).to.deep.equal({
      metadata: { name: 'v1.g', generateName: 'kept', resourceVersion: '2', ...kept },
      spec: { group: 'g' },
      status: {},
    });
    expect(object.metadata).to.equal(metadata);
  });
});
