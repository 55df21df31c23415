import type { KubeObject } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { Indexer } from './indexer.ts';
import type { InformerHandlers, SharedInformer } from './shared-informer.ts';
import { NewestObjects } from './newest-objects.ts';

const index = 'labels';
const volume = (version: number, label: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'v', uid: 'u', resourceVersion: String(version), labels: { l: label } },
});

describe('NewestObjects', () => {
  let shown: Indexer<KubeObject>;
  let newest: NewestObjects<KubeObject>;
  let show: (object: KubeObject) => void;

  beforeEach(() => {
    shown = new Indexer();
    shown.addIndex(index, ({ metadata }) => [metadata?.labels?.['l'] ?? '']);
    let handlers: InformerHandlers<KubeObject> = {};
    const informer = {
      addHandlers: (added: InformerHandlers<KubeObject>) => (handlers = added),
      get: (key: string) => shown.get(key),
      byIndex: (name: string, value: string) => shown.byIndex(name, value),
    } as unknown as SharedInformer<KubeObject>;
    newest = new NewestObjects(informer);
    show = (object) => {
      const before = shown.get('v');
      shown.set('v', object);
      if (before !== undefined) handlers.onUpdate?.(object, before);
    };
    show(volume(1, 'free'));
  });

  const found = (label: string): unknown[] => newest.byIndex(index, label).map(({ metadata }) => metadata?.labels);

  it('are those that were written, until they are shown', () => {
    newest.wrote(volume(2, 'kept'));
    expect(newest.get('v')?.metadata?.resourceVersion).to.equal('2');
    expect(found('free')).to.deep.equal([{ l: 'kept' }]);
    show(volume(2, 'kept'));
    expect(found('free')).to.deep.equal([]);
  });

  // All that had ever been written so was gone through for each claim.
  it('are not kept that were shown, or gone, before the write was answered', () => {
    show(volume(2, 'kept'));
    newest.wrote(volume(2, 'kept'));
    expect(found('free')).to.deep.equal([]);
    shown.delete('v');
    newest.wrote(volume(3, 'kept'));
    show(volume(1, 'free'));
    expect(newest.get('v')?.metadata?.resourceVersion).to.equal('1');
  });
});
