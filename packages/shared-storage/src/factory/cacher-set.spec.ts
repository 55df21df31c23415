import { settle } from '@kubechain/apimachinery/testing';
import { expect } from 'chai';
import { FaultyStorage } from '../cacher/testing/faulty-storage.ts';
import { KEY_ROOT, Recorder, pod, podCodec, podConfig, podKey } from '../cacher/testing/pods.ts';
import { isStorageError } from '../storage/errors.ts';
import { CacherSet } from './cacher-set.ts';

describe('CacherSet', () => {
  it('tells how much is in all caches, until they are closed', async () => {
    const set = new CacherSet({ consistencyChecks: false });
    const cachers = await Promise.all(
      [1, 2].map(async () => {
        const storage = new FaultyStorage(podCodec);
        await storage.create(podKey('a', 'x'), pod('a', 'x'));
        const cacher = set.cacheStorage({ storage, config: podConfig, keyRoot: KEY_ROOT });
        // A read of what is there now waits for its event.
        await cacher.getList(`${KEY_ROOT}/`);
        await storage.create(podKey('a', 'y'), pod('a', 'y'));
        await cacher.getList(`${KEY_ROOT}/`);
        return cacher;
      }),
    );
    const { capacity, ...rest } = set.extent();
    expect(rest).to.deep.equal({ objects: 4, events: 2 });
    expect(capacity).to.be.greaterThan(2);
    await Promise.all(cachers.map((cacher) => cacher.close()));
    expect(set.extent()).to.deep.equal({ objects: 0, events: 0, capacity: 0 });
  });

  it('lets watches begin where the process did', async () => {
    const set = new CacherSet({ consistencyChecks: false });
    const storage = new FaultyStorage(podCodec);
    await storage.create(podKey('a', 'before'), pod('a', 'before'));
    const began = await storage.currentRevision();
    const cacher = set.cacheStorage({ storage, config: podConfig, keyRoot: KEY_ROOT });
    await settle();
    await storage.create(podKey('a', 'x'), pod('a', 'x'));
    await storage.create(podKey('a', 'y'), pod('a', 'y'));
    const sink = new Recorder();
    await cacher.watch(`${KEY_ROOT}/`, { resourceVersion: String(began) }, sink);
    await settle();
    expect(sink.lines).to.deep.equal([`ADDED a/x@${began + 1}`, `ADDED a/y@${began + 2}`]);
    await cacher.close();
  });

  it('lets watches of a resource that came later begin where its cache does', async () => {
    const set = new CacherSet({ consistencyChecks: false });
    const storage = new FaultyStorage(podCodec);
    const began = await storage.currentRevision();
    const cacher = set.cacheStorage({ storage, config: { ...podConfig, isLate: true }, keyRoot: KEY_ROOT });
    await settle();
    await storage.create(podKey('a', 'x'), pod('a', 'x'));
    const error = await cacher
      .watch(`${KEY_ROOT}/`, { resourceVersion: String(began) }, new Recorder())
      .catch((reason: unknown) => reason);
    expect(isStorageError(error, 'ResourceExpired')).to.equal(true);
    await cacher.close();
  });
});
