import { expect } from 'chai';
import { MetricRegistry } from '../metrics/metric-registry.ts';
import { codecCounters } from '../storage/codec-counters.ts';
import { StorageError, isStorageError, type StorageErrorOf } from '../storage/errors.ts';
import type { Watch, WatchEvent, WatchSink } from '../storage/interfaces.ts';
import { Cacher } from './cacher.ts';
import type { CacherOptions } from './cacher.ts';
import { FakeClock, settle } from '@kubechain/apimachinery/testing';
import { messageOf } from '@kubechain/apimachinery';
import { FaultyStorage } from './testing/faulty-storage.ts';
import { KEY_ROOT, Recorder, pod, podCodec, podConfig, podKey, select } from './testing/pods.ts';
import { watchFrame, watchFrameStatistics } from './watch-frame.ts';

const ALL = `${KEY_ROOT}/`;
const open: Cacher[] = [];

interface Fixture {
  readonly store: FaultyStorage;
  readonly cacher: Cacher;
  readonly clock: FakeClock;
  readonly registry: MetricRegistry;
  readonly errors: string[];
}

async function fixture(options: Partial<CacherOptions> = {}): Promise<Fixture> {
  const store = new FaultyStorage(podCodec);
  const clock = new FakeClock();
  const registry = new MetricRegistry();
  const errors: string[] = [];
  const cacher = new Cacher({
    storage: store,
    config: podConfig,
    keyRoot: KEY_ROOT,
    clock,
    random: () => 0.5,
    metrics: registry,
    onError: (error, { what }) => errors.push(`${what}: ${messageOf(error)}`),
    ...options,
  });
  open.push(cacher);
  expect(await cacher.waitReady(1000)).to.equal(true);
  await settle();
  return { store, cacher, clock, registry, errors };
}

function metric(registry: MetricRegistry, name: string): number {
  return registry.samples(name).reduce((sum, { value }) => sum + value, 0);
}

const put = (store: FaultyStorage, name: string, data: string): Promise<unknown> =>
  store.guaranteedUpdate(podKey('a', name), () => ({ object: pod('a', name, { data }) }), { ignoreNotFound: true });

describe('Cacher watches', () => {
  afterEach(async () => {
    await Promise.all(open.splice(0).map((cacher) => cacher.close()));
  });

  describe('from before the cache', () => {
    /** A cache that nobody has read; others write to the store. */
    const unread = async (): Promise<{ readonly store: FaultyStorage; readonly cacher: Cacher }> => {
      const store = new FaultyStorage(podCodec);
      const cacher = new Cacher({ storage: store, config: podConfig, keyRoot: KEY_ROOT, clock: new FakeClock() });
      open.push(cacher);
      for (let i = 0; i < 5; i++) await put(store, `before-${i}`, '');
      return { store, cacher };
    };

    it('begin where this process has written, though nobody had read by then', async () => {
      const { store, cacher } = await unread();
      const { revision } = await cacher.create(podKey('a', 'x'), pod('a', 'x'));
      await put(store, 'y', '');
      await put(store, 'z', '');
      const sink = new Recorder();
      await cacher.watch(ALL, { resourceVersion: String(revision) }, sink);
      await put(store, 'x', 'later');
      await settle();
      expect(sink.lines).to.deep.equal([
        `ADDED a/y@${revision + 1}`,
        `ADDED a/z@${revision + 2}`,
        `MODIFIED a/x@${revision + 3}`,
      ]);
    });

    it('begin where this process began, though it has written nothing', async () => {
      const store = new FaultyStorage(podCodec);
      await put(store, 'before', '');
      const beganAt = await store.currentRevision();
      const cacher = new Cacher({
        storage: store,
        config: podConfig,
        keyRoot: KEY_ROOT,
        clock: new FakeClock(),
        beganAt: () => beganAt,
      });
      open.push(cacher);
      await put(store, 'x', '');
      const sink = new Recorder();
      await cacher.watch(ALL, { resourceVersion: String(beganAt) }, sink);
      await settle();
      expect(sink.lines).to.deep.equal([`ADDED a/x@${beganAt + 1}`]);
      const error = await cacher
        .watch(ALL, { resourceVersion: String(beganAt - 1) }, new Recorder())
        .catch((reason: unknown) => reason);
      expect(isStorageError(error, 'ResourceExpired')).to.equal(true);
    });

    it('are refused where nobody here has written', async () => {
      const { store, cacher } = await unread();
      const { revision } = await cacher.create(podKey('a', 'x'), pod('a', 'x'));
      await put(store, 'y', '');
      const error = await cacher
        .watch(ALL, { resourceVersion: String(revision - 1) }, new Recorder())
        .catch((reason: unknown) => reason);
      expect(isStorageError(error, 'ResourceExpired')).to.equal(true);
    });
  });

  describe('bookmarks', () => {
    it('come about once a minute and two seconds before the end, to those that asked', async () => {
      const { store, cacher, clock } = await fixture();
      const asked = new Recorder();
      const silent = new Recorder();
      await cacher.watch(
        ALL,
        { resourceVersion: '1', allowWatchBookmarks: true, deadlineMs: clock.now() + 90_000 },
        asked,
      );
      await cacher.watch(ALL, { resourceVersion: '1' }, silent);
      await settle();
      await put(store, 'x', '1');
      store.bump();
      store.sendProgress();
      await clock.advance(54_000);
      expect(asked.lines).to.deep.equal(['ADDED a/x@2']);
      await clock.advance(2000);
      expect(asked.lines.slice(1)).to.deep.equal(['BOOKMARK@3']);
      store.bump();
      store.sendProgress();
      await clock.advance(31_000);
      expect(asked.lines.slice(2)).to.deep.equal([]);
      await clock.advance(2000);
      expect(asked.lines.slice(2)).to.deep.equal(['BOOKMARK@4']);
      await clock.advance(200_000);
      expect(asked.lines.length).to.equal(3);
      expect(silent.lines).to.deep.equal(['ADDED a/x@2']);
      expect(clock.timers).to.equal(0);
    });

    it('ask the store for progress, so that the next one is new on a quiet resource', async () => {
      const { store, cacher, clock } = await fixture();
      const sink = new Recorder();
      await cacher.watch(ALL, { resourceVersion: '1', allowWatchBookmarks: true }, sink);
      await settle();
      for (let i = 0; i < 3; i++) {
        store.bump();
        await clock.advance(60_000);
      }
      expect(sink.lines).to.deep.equal(['BOOKMARK@2', 'BOOKMARK@3']);
    });

    it('never overtake events that wait for a slow watcher', async () => {
      const { store, cacher, clock } = await fixture();
      const sink = new Recorder();
      sink.capacity = 1;
      const watch = await cacher.watch(ALL, { resourceVersion: '1', allowWatchBookmarks: true }, sink);
      await settle();
      for (let i = 0; i < 3; i++) await put(store, 'x', String(i));
      await clock.advance(60_000);
      expect(sink.lines).to.deep.equal(['ADDED a/x@2']);
      sink.capacity = Infinity;
      watch.drained();
      expect(sink.lines).to.deep.equal(['ADDED a/x@2', 'MODIFIED a/x@3', 'MODIFIED a/x@4', 'BOOKMARK@4']);
    });
  });

  describe('slow watchers', () => {
    it('are closed when their buffer and the time budget are used up; others get everything', async () => {
      const { store, cacher, clock, registry } = await fixture();
      const stuck = new Recorder();
      stuck.capacity = 1;
      const healthy = new Recorder();
      await cacher.watch(ALL, { resourceVersion: '1' }, stuck);
      await cacher.watch(ALL, { resourceVersion: '1' }, healthy);
      await settle();
      for (let i = 0; i < 101; i++) await put(store, 'x', String(i));
      expect(healthy.events.length).to.equal(101);
      await put(store, 'x', 'one too many');
      expect(cacher.describe().window.paused).to.equal(true);
      await put(store, 'x', 'meanwhile');
      expect(stuck.ends).to.equal(0);
      await clock.advance(100);
      expect(stuck.reasons).to.deep.equal([{ kind: 'slow' }]);
      expect(stuck.events.length).to.equal(1);
      expect(healthy.events.length).to.equal(103);
      expect(healthy.ends).to.equal(0);
      expect(metric(registry, 'apiserver_terminated_watchers_total')).to.equal(1);
      expect(cacher.describe().watchers.total).to.equal(1);
    });

    it('go on without a gap when they make room in time', async () => {
      const { store, cacher, clock } = await fixture();
      const slow = new Recorder();
      slow.capacity = 1;
      const watch = await cacher.watch(ALL, { resourceVersion: '1' }, slow);
      await settle();
      for (let i = 0; i < 150; i++) await put(store, 'x', String(i));
      expect(cacher.describe().window.dispatchBacklog).to.be.greaterThan(0);
      slow.capacity = Infinity;
      watch.drained();
      await clock.advance(1000);
      expect(slow.ends).to.equal(0);
      expect(
        slow.events.map((event) => (event.type === 'MODIFIED' || event.type === 'ADDED' ? event.record.revision : 0)),
      ).to.deep.equal(Array.from({ length: 150 }, (_, i) => i + 2));
      expect(cacher.describe().window.dispatchBacklog).to.equal(0);
    });

    it('hold nothing while they are sent the state, and are closed when history has passed them', async () => {
      const { store, cacher } = await fixture({ window: { minEvents: 10, maxEvents: 10 } });
      for (let i = 0; i < 20; i++) await put(store, `p${i}`, '');
      const slow = new Recorder();
      slow.capacity = 1;
      const late = new Recorder();
      late.capacity = 1;
      const watches = [
        await cacher.watch(ALL, { resourceVersion: '0' }, slow),
        await cacher.watch(ALL, { resourceVersion: '0' }, late),
      ];
      await settle();
      for (let i = 0; i < 9; i++) await put(store, 'x', String(i));
      slow.capacity = Infinity;
      watches[0]!.drained();
      expect(slow.events.length).to.equal(29);
      for (let i = 0; i < 9; i++) await put(store, 'x', `again ${i}`);
      expect(slow.events.length).to.equal(38);
      expect(late.reasons, 'closed without being asked to take more').to.deep.equal([{ kind: 'overtaken' }]);
      expect(late.events.length).to.equal(1);
    });
  });

  describe('loss of the watch', () => {
    it('is not noticed when the store still has the history', async () => {
      const { store, cacher, clock, errors } = await fixture();
      const sink = new Recorder();
      await cacher.watch(ALL, { resourceVersion: '1' }, sink);
      await settle();
      await put(store, 'x', '1');
      store.cutWatches(new StorageError('Unreachable', 'connection lost'));
      await put(store, 'x', '2');
      await settle();
      expect(sink.lines).to.deep.equal(['ADDED a/x@2']);
      await clock.advance(200);
      await put(store, 'x', '3');
      expect(sink.lines).to.deep.equal(['ADDED a/x@2', 'MODIFIED a/x@3', 'MODIFIED a/x@4']);
      expect(sink.ends).to.equal(0);
      expect(errors).to.deep.equal(['watch: connection lost']);
      expect(store.calls.getList).to.equal(1);
    });

    it('is noticed when the store answers reads but its watch stays silent', async () => {
      const { store, cacher, clock, errors } = await fixture();
      const sink = new Recorder();
      await cacher.watch(ALL, { resourceVersion: '1' }, sink);
      await settle();
      store.muteWatches();
      await put(store, 'x', '1');
      const read = cacher.get(podKey('a', 'x'));
      await settle();
      await clock.advance(3000);
      expect((await read)?.revision, 'read from the store').to.equal(2);
      expect(store.calls.get).to.equal(1);
      await clock.advance(200);
      expect(errors).to.deep.equal(['watch: the watch does not tell what the store has']);
      expect(sink.lines).to.deep.equal(['ADDED a/x@2']);
      expect((await cacher.get(podKey('a', 'x')))?.revision).to.equal(2);
      expect(store.calls.get).to.equal(1);
    });

    it('is noticed without any read when bookmarks are due', async () => {
      const { store, cacher, clock, errors } = await fixture();
      const sink = new Recorder();
      await cacher.watch(ALL, { resourceVersion: '1', allowWatchBookmarks: true }, sink);
      await settle();
      store.muteWatches();
      await put(store, 'x', '1');
      await clock.advance(121_000);
      expect(errors).to.deep.equal(['watch: the watch does not answer']);
      expect(sink.lines[0]).to.equal('ADDED a/x@2');
      expect(sink.ends).to.equal(0);
    });

    it('is not taken for lost when watchers get their bookmarks a second apart and the store is slow', async () => {
      const { store, cacher, clock, errors } = await fixture();
      for (let n = 0; n < 3; n++) {
        await cacher.watch(ALL, { resourceVersion: '1', allowWatchBookmarks: true }, new Recorder());
        await clock.advance(1000);
      }
      await settle();
      store.muteWatches();
      await clock.advance(65_000);
      expect(errors).to.deep.equal([]);
      await clock.advance(60_000);
      expect(errors).to.deep.equal(['watch: the watch does not answer']);
    });

    it('ends watches and fills the cache again when the history is gone; nothing is served in between', async () => {
      const { store, cacher, clock, errors } = await fixture();
      const sink = new Recorder();
      await cacher.watch(ALL, { resourceVersion: '1' }, sink);
      await put(store, 'x', '1');
      await put(store, 'y', '1');
      await settle();
      const gate = Promise.withResolvers<void>();
      store.fault = (call) => (call === 'getList' ? gate.promise : undefined);
      store.cutWatches(new StorageError('Unreachable', 'connection lost'));
      await store.delete(podKey('a', 'x'));
      // The deletion is history, too.
      store.compact(store.bump());
      await settle();
      await clock.advance(200);
      expect(sink.reasons).to.deep.equal([{ kind: 'reinitialized' }]);
      expect(sink.lines).to.deep.equal(['ADDED a/x@2', 'ADDED a/y@3']);
      expect(errors).to.deep.equal([
        'watch: connection lost',
        'reinitialize: The resourceVersion for the provided watch is too old.',
        'watch: The resourceVersion for the provided watch is too old.',
      ]);
      const refused = await cacher.watch(ALL, { resourceVersion: '0' }, new Recorder()).then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(isStorageError(refused, 'NotReady')).to.equal(true);
      expect((refused as StorageError).message).to.equal('storage is (re)initializing');
      expect((refused as StorageErrorOf<'NotReady'>).retryAfterSeconds).to.equal(1);
      expect((await cacher.get(podKey('a', 'y')))?.revision, 'reads the store').to.equal(3);
      expect(
        await cacher.readinessCheck().then(
          () => undefined,
          (error: unknown) => isStorageError(error, 'NotReady'),
        ),
      ).to.equal(true);
      gate.resolve();
      await settle();
      expect((await cacher.getList(ALL)).items.map(({ key }) => key)).to.deep.equal([podKey('a', 'y')]);
      const error = await cacher.watch(ALL, { resourceVersion: '3' }, new Recorder()).then(
        () => undefined,
        (e: unknown) => e,
      );
      expect(isStorageError(error, 'ResourceExpired')).to.equal(true);
    });

    it('fills the cache again when the watch contradicts itself', async () => {
      const { store, cacher, clock, errors } = await fixture();
      await put(store, 'x', '1');
      const sink = new Recorder();
      await cacher.watch(ALL, { resourceVersion: '0' }, sink);
      await settle();
      store.bump();
      store.sendProgress();
      store.cutWatches(new StorageError('Internal', 'decoder confused'));
      await settle();
      await clock.advance(10_000);
      expect(sink.reasons).to.deep.equal([{ kind: 'reinitialized' }]);
      expect(errors[0]).to.equal('reinitialize: decoder confused');
      expect(cacher.describe()).to.include({ status: 'ready', generation: 2 });
    });

    it('is found by the check that runs every five minutes, or somewhat more', async () => {
      const inconsistent: string[] = [];
      const { store, clock, registry } = await fixture({
        consistencyChecks: true,
        onInconsistent: (error) => inconsistent.push(error.message),
      });
      const checks = (): string[] =>
        registry
          .samples('apiserver_storage_consistency_checks_total')
          .map(({ labels, value }) => `${labels['status']} ${value}`);
      await put(store, 'x', '1');
      await clock.advance(299_000);
      expect(checks()).to.deep.equal([]);
      await clock.advance(151_000);
      expect(checks()).to.deep.equal(['success 1']);
      store.holdEvents = true;
      await put(store, 'y', '1');
      store.loseHeld();
      await put(store, 'z', '1');
      await clock.advance(450_000);
      expect(checks()).to.deep.equal(['success 1', 'failure 1']);
      expect(inconsistent).to.have.lengthOf(1);
      await clock.advance(450_000);
      expect(checks()).to.deep.equal(['success 2', 'failure 1']);
    });

    it('is found by the consistency check when events went missing, which heals the cache', async () => {
      const { store, cacher, errors, registry } = await fixture();
      await put(store, 'x', '1');
      expect((await cacher.checkConsistency()).kind).to.equal('consistent');
      store.holdEvents = true;
      await put(store, 'y', '1');
      store.loseHeld();
      await put(store, 'z', '1');
      const result = await cacher.checkConsistency();
      expect(result).to.deep.include({
        kind: 'inconsistent',
        difference: {
          index: 1,
          cached: { key: podKey('a', 'z'), revision: 4 },
          stored: { key: podKey('a', 'y'), revision: 3 },
        },
      });
      expect(errors[0]).to.match(/^consistencyCheck: cache and store differ at revision 4/);
      expect(metric(registry, 'apiserver_storage_consistency_checks_total')).to.equal(2);
      await settle();
      expect((await cacher.checkConsistency()).kind).to.equal('consistent');
    });
  });

  describe('cost', () => {
    /** Writes frames as an endpoint would. */
    class FrameSink implements WatchSink {
      bytes = 0;
      events = 0;
      event(event: WatchEvent): boolean {
        if (event.type === 'BOOKMARK' || event.type === 'ERROR') return true;
        this.bytes += watchFrame(event).length;
        this.events++;
        return true;
      }
      end(): void {
        /* nothing to close */
      }
    }

    it('is one encode per event for 1,000 watchers, and no decode of what was written here', async () => {
      const { store, cacher } = await fixture();
      const sinks = Array.from({ length: 1000 }, () => new FrameSink());
      for (const sink of sinks) await cacher.watch(ALL, { resourceVersion: '0' }, sink);
      await settle();
      const before = { ...watchFrameStatistics(), ...codecCounters };
      for (let i = 0; i < 10; i++) await store.create(podKey('a', `p${i}`), pod('a', `p${i}`));
      const after = { ...watchFrameStatistics(), ...codecCounters };
      expect(sinks.every(({ events, bytes }) => events === 10 && bytes === sinks[0]!.bytes)).to.equal(true);
      expect(after.encoded - before.encoded).to.equal(10);
      expect(after.shared - before.shared).to.equal(9990);
      // Neither the answer of a create nor its event.
      expect(after.decodes - before.decodes).to.equal(0);
    });

    it('of an event is only paid for watchers it may concern', async () => {
      const { store, cacher } = await fixture();
      let asked = 0;
      const counting = (predicate: ReturnType<typeof select>): ReturnType<typeof select> => ({
        ...predicate,
        matches: (attributes) => {
          asked++;
          return predicate.matches(attributes);
        },
      });
      for (let i = 0; i < 100; i++) {
        await cacher.watch(
          ALL,
          { resourceVersion: '0', predicate: counting(select({}, { 'spec.nodeName': `n${i}` })) },
          new FrameSink(),
        );
        await cacher.watch(
          `${ALL}other-${i}/`,
          { resourceVersion: '0', predicate: counting(select({ app: 'web' })) },
          new FrameSink(),
        );
        await cacher.watch(podKey('a', `other-${i}`), { resourceVersion: '0', recursive: false }, new FrameSink());
      }
      await settle();
      asked = 0;
      await store.create(podKey('a', 'x'), pod('a', 'x', { nodeName: 'n7' }));
      expect(asked).to.equal(1);
      await store.guaranteedUpdate(podKey('a', 'x'), () => ({ object: pod('a', 'x', { nodeName: 'n8' }) }));
      expect(asked).to.equal(5);
    });

    it('of an idle cache is nothing', async () => {
      const { store, cacher, clock } = await fixture({ consistencyChecks: true });
      await cacher.checkConsistency();
      const before = { ...store.calls };
      await clock.advance(3_600_000);
      expect(store.calls).to.deep.equal(before);
    });

    it('of frames does not stay', async () => {
      const { store, cacher } = await fixture();
      const sink = new FrameSink();
      await cacher.watch(ALL, { resourceVersion: '0' }, sink);
      await settle();
      const data = 'x'.repeat(200_000);
      for (let i = 0; i < 100; i++) {
        await put(store, 'big', `${i}${data}`);
        // Large events are decoded in turns.
        await settle();
      }
      expect(sink.bytes).to.be.greaterThan(20_000_000);
      expect(watchFrameStatistics().keptBytes).to.be.at.most(8 * 1024 * 1024);
    });
  });

  it('stops on its signal, and inside its own sink, with one end after the last event', async () => {
    const { store, cacher } = await fixture();
    const abort = new AbortController();
    const aborted = new Recorder();
    await cacher.watch(ALL, { resourceVersion: '0', signal: abort.signal }, aborted);
    const log: string[] = [];
    const watches: Watch[] = [];
    watches.push(
      await cacher.watch(
        ALL,
        { resourceVersion: '0' },
        {
          event: () => {
            watches[0]?.stop();
            log.push('event');
            return true;
          },
          end: () => log.push('end'),
        },
      ),
    );
    await settle();
    await put(store, 'x', '1');
    await put(store, 'x', '2');
    abort.abort();
    await put(store, 'x', '3');
    expect(aborted.lines).to.deep.equal(['ADDED a/x@2', 'MODIFIED a/x@3']);
    expect(aborted.ends).to.equal(1);
    expect(log).to.deep.equal(['event', 'end']);
  });
});
