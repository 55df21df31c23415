import { expect } from 'chai';
import type { PersistentVolume } from '@kubechain/apimachinery/types/core/v1';
import { Indexer } from '../informers/indexer.ts';
import { addCandidatesIndex, candidatesFor } from './volume-candidates.ts';

const volume = (name: string, spec: object): PersistentVolume => ({ metadata: { name }, spec });

describe('volumes that a claim may have', () => {
  // Each claim, and each node that was looked at for one, went through all volumes of the cluster.
  it('are those that are kept for it, and free ones of its class', () => {
    const volumes = new Indexer<PersistentVolume>();
    addCandidatesIndex(volumes);
    for (const each of [
      volume('free', { storageClassName: 'fast' }),
      volume('kept', { storageClassName: 'slow', claimRef: { namespace: 'n', name: 'c' } }),
      volume('of another', { storageClassName: 'fast', claimRef: { namespace: 'm', name: 'c' } }),
      volume('of another class', { storageClassName: 'slow' }),
      volume('of no class', {}),
    ])
      volumes.set(each.metadata!.name!, each);
    const namesFor = (storageClassName?: string): unknown[] =>
      candidatesFor(
        { metadata: { namespace: 'n', name: 'c' }, spec: storageClassName === undefined ? {} : { storageClassName } },
        volumes,
      ).map(({ metadata }) => metadata?.name);
    expect(namesFor('fast')).to.deep.equal(['kept', 'free']);
    expect(namesFor()).to.deep.equal(['kept', 'of no class']);
  });
});
