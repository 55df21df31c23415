import { expect } from 'chai';
import type { Deployment, ReplicaSet } from '@kubechain/apimachinery/types/apps/v1';
import { maxRevision, newReplicaSetAnnotations, revisionAnnotation, revisionOf } from './revision.ts';

const set = (revision?: string): ReplicaSet =>
  ({ metadata: { annotations: revision === undefined ? {} : { [revisionAnnotation]: revision } } }) as ReplicaSet;

describe('revisions of replica sets', () => {
  it('are whole numbers of 64 bits, to the last digit', () => {
    expect(revisionOf(set('3546343826724305832'))).to.equal(3546343826724305832n);
    expect(revisionOf(set())).to.equal(0n);
    expect(revisionOf(set('9223372036854775808'))).to.equal(undefined);
    expect(revisionOf(set('x'))).to.equal(undefined);
    expect(maxRevision([set('2'), set('10'), set('x')])).to.equal(10n);
  });
  it('go on from the largest, and the one before becomes history', () => {
    const annotations = newReplicaSetAnnotations(
      {} as Deployment,
      { [revisionAnnotation]: '3' },
      maxRevision([set('3546343826724305832')]) + 1n,
    );
    expect(annotations).to.deep.equal({
      [revisionAnnotation]: '3546343826724305833',
      'deployment.kubernetes.io/revision-history': '3',
    });
  });
});
