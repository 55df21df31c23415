import { FakeClock, settle } from '@kubechain/apimachinery/testing';
import { expect } from 'chai';
import { resources } from '../client/resources.ts';
import type { ControllerContext } from '../controller/controller.ts';
import { Indexer, type IndexFunction } from '../informers/indexer.ts';
import { keyOf } from '../informers/object-key.ts';
import type { InformerHandlers } from '../informers/shared-informer.ts';
import type { WithMetadata } from '../informers/with-metadata.ts';
import { PersistentVolumeBinder } from './persistent-volume-binder.ts';

const annotations = { 'volume.beta.kubernetes.io/storage-class': 'fast disks' };
const spec = { accessModes: ['ReadWriteOnce'] };

describe('PersistentVolumeBinder', () => {
  // Only annotations may name such a class. The claim waited for the next time when all are looked at.
  it('looks at claims of a class with a space in its name when a volume comes', async () => {
    const objects = new Indexer<WithMetadata>();
    const claim = {
      metadata: { namespace: 'n', name: 'c', uid: 'c', annotations },
      spec: { ...spec, resources: { requests: { storage: '1Gi' } } },
    };
    objects.set(keyOf(claim), claim);
    const volumes = new Indexer<WithMetadata>();
    const handlers: InformerHandlers<WithMetadata>[] = [];
    const informer = (held: Indexer<WithMetadata>): object => ({
      addHandlers: (added: InformerHandlers<WithMetadata>) => held === volumes && handlers.push(added),
      addIndex: (name: string, of: IndexFunction<WithMetadata>) => held.addIndex(name, of),
      byIndex: (name: string, value: string) => held.byIndex(name, value),
      list: () => [...held.values()],
      get: (key: string) => held.get(key),
      waitForSync: () => Promise.resolve(),
    });
    const none = new Indexer<WithMetadata>();
    const kept: unknown[] = [];
    const write = (object: WithMetadata & { spec?: { claimRef?: { name: string } } }): Promise<unknown> => {
      if (object.spec?.claimRef !== undefined) kept.push(object.spec.claimRef.name);
      return Promise.resolve(object);
    };
    const stop = new AbortController();
    const binder = new PersistentVolumeBinder({
      client: { resource: () => ({ update: write, updateStatus: write }) },
      informers: {
        informer: (type: unknown) =>
          informer(
            type === resources.persistentvolumes ? volumes : type === resources.persistentvolumeclaims ? objects : none,
          ),
      },
      clock: new FakeClock(),
      random: () => 0,
      flags: { lifecycle: { 'pvclaimbinder-sync-period': 15_000 } },
      recorder: () => ({ event: () => undefined }),
      log: { error: (_: string, error: unknown) => kept.push(error) },
      signal: stop.signal,
    } as unknown as ControllerContext);
    const running = binder.run(stop.signal);
    await settle();
    const volume = {
      metadata: { name: 'v', uid: 'v', annotations },
      spec: { ...spec, capacity: { storage: '1Gi' } },
      status: { phase: 'Available' },
    };
    volumes.set('v', volume);
    for (const { onAdd } of handlers) onAdd?.(volume);
    await settle();
    stop.abort();
    await running;
    expect(new Set(kept)).to.deep.equal(new Set(['c']));
  });
});
