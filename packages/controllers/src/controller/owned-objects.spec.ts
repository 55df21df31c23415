import type { ObjectMeta } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { Indexer } from '../informers/indexer.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { addControllerIndex, ownedObjects, ownedOrOrphans } from './owned-objects.ts';

interface Thing {
  readonly metadata: ObjectMeta;
}

describe('what a controller owns', () => {
  const thing = (namespace: string, name: string, uid?: string): Thing => ({
    metadata: {
      namespace,
      name,
      ...(uid === undefined
        ? {}
        : { ownerReferences: [{ apiVersion: 'v1', kind: 'Owner', name: 'o', uid, controller: true }] }),
    },
  });
  const namesOf = (things: readonly Thing[]): (string | undefined)[] => things.map(({ metadata }) => metadata.name);
  const indexer = new Indexer<Thing>();
  const informer = indexer as unknown as SharedInformer<Thing>;

  before(() => {
    addControllerIndex(informer);
    for (const each of [
      thing('n', 'own', 'u1'),
      thing('n', 'orphan'),
      thing('n', 'of another', 'u2'),
      thing('m', 'of another namespace', 'u1'),
      thing('m', 'orphan elsewhere'),
      thing('m', 'of a namespace', 'n'),
    ])
      indexer.set(`${each.metadata.namespace}/${each.metadata.name}`, each);
  });

  it('is in its namespace', () => {
    const owner = { metadata: { namespace: 'n', name: 'o', uid: 'u1' } };
    expect(namesOf(ownedObjects(informer, owner))).to.deep.equal(['own']);
    expect(namesOf(ownedOrOrphans(informer, owner))).to.deep.equal(['own', 'orphan']);
  });
});
