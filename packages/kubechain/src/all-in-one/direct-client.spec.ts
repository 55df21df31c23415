import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedStore, type EmbeddedStore } from '@kubechain/embedded-etcd';
import { isEtcdError, type EtcdEvent, type EtcdWatchSink } from '@kubechain/shared-storage/etcd';
import { Etcd3Store } from '@kubechain/shared-storage/factory';
import { storageContract } from '@kubechain/shared-storage/testing';
import { DirectClient } from './direct-client.ts';

describe('DirectClient', () => {
  let folder: string;
  let store: EmbeddedStore;
  let client: DirectClient;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'kubechain-direct-'));
    store = openEmbeddedStore({ dataFile: join(folder, 'etcd.db'), unsafeNoFsync: true });
    client = new DirectClient(store);
  });
  after(async () => {
    await client.close();
    store.close();
    rmSync(folder, { recursive: true });
  });

  storageContract('etcd3 store on the store of the same process', (setup) => {
    const storage = new Etcd3Store({ ...setup, client, groupResource: { group: '', resource: 'pods' } });
    return Promise.resolve({ storage, client, close: () => storage.close() });
  });

  /** Everything that a watch says, as texts. */
  function recorder(): EtcdWatchSink & { readonly said: string[]; until(text: RegExp): Promise<void> } {
    const said: string[] = [];
    let changed = (): void => undefined;
    const say = (text: string): void => {
      said.push(text);
      changed();
    };
    return {
      said,
      created: () => {
        say('created');
      },
      events: (events: readonly EtcdEvent[]) => {
        for (const { deleted, kv, previous } of events)
          say(`${deleted ? 'deleted' : 'put'} ${kv.key} ${kv.value.toString()} after ${previous?.value.toString()}`);
      },
      progress: () => {
        say('progress');
      },
      end: (error) => {
        say(`end ${error?.code}`);
      },
      until: async (text) => {
        while (!said.some((line) => text.test(line)))
          await new Promise<void>((resolve) => {
            changed = resolve;
          });
      },
    };
  }

  it('keeps keys and values as they are', async () => {
    await client.put({ key: '/texts/größe-😀', value: Buffer.from([0, 255, 128]) });
    const { kvs } = await client.range({ key: '/texts/', rangeEnd: '/texts0' });
    expect(kvs.map(({ key, value }) => [key, [...value]])).to.deep.equal([['/texts/größe-😀', [0, 255, 128]]]);
  });

  it('watches with previous values, and tells nothing after cancel', async () => {
    const sink = recorder();
    const watch = client.watch({ key: '/w/', rangeEnd: '/w0', startRevision: 0, prevKv: true }, sink);
    await sink.until(/created/);
    await client.put({ key: '/w/a', value: Buffer.from('1') });
    await client.put({ key: '/w/a', value: Buffer.from('2') });
    await client.delete({ key: '/w/a' });
    await sink.until(/deleted/);
    watch.requestProgress();
    await sink.until(/progress/);
    watch.cancel();
    await client.put({ key: '/w/a', value: Buffer.from('3') });
    expect(sink.said).to.deep.equal([
      'created',
      'put /w/a 1 after undefined',
      'put /w/a 2 after 1',
      'deleted /w/a  after 2',
      'progress',
      'end undefined',
    ]);
  });

  it('keeps what comes while a watch is paused', async () => {
    const sink = recorder();
    const watch = client.watch({ key: '/p/', rangeEnd: '/p0', startRevision: 0 }, sink);
    await sink.until(/created/);
    watch.pause();
    await client.put({ key: '/p/a', value: Buffer.from('1') });
    await client.put({ key: '/p/b', value: Buffer.from('2') });
    expect(sink.said).to.deep.equal(['created']);
    watch.resume();
    await sink.until(/\/p\/b/);
    watch.cancel();
    expect(sink.said.slice(1, 3)).to.deep.equal(['put /p/a 1 after undefined', 'put /p/b 2 after undefined']);
  });

  it('ends a watch whose history is gone, and one whose sink fails', async () => {
    const first = await client.put({ key: '/h/a', value: Buffer.from('1') });
    const { revision } = await client.put({ key: '/h/a', value: Buffer.from('2') });
    await client.compact(revision);
    const sink = recorder();
    client.watch({ key: '/h/a', startRevision: first.revision }, sink);
    await sink.until(/end/);
    expect(sink.said.at(-1)).to.equal('end Compacted');
    const failing = recorder();
    client.watch(
      { key: '/h/', rangeEnd: '/h0', startRevision: 0 },
      {
        ...failing,
        events: () => {
          throw new RangeError('no');
        },
      },
    );
    await failing.until(/created/);
    await client.put({ key: '/h/a', value: Buffer.from('3') });
    await failing.until(/end/);
    expect(failing.said).to.deep.equal(['created', 'end Internal']);
  });

  it('fails as over a connection: too large, a lease that is gone, a store that has stopped', async () => {
    const codeOf = async (call: Promise<unknown>): Promise<string | undefined> => {
      const error = await call.then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      return isEtcdError(error) ? error.code : String(error);
    };
    const large = Buffer.alloc(1.5 * 1024 * 1024);
    expect(await codeOf(client.put({ key: '/l', value: large }))).to.equal('RequestTooLarge');
    expect(await codeOf(client.put({ key: '/l', value: Buffer.alloc(0), lease: 42n }))).to.equal('LeaseNotFound');
    expect(await codeOf(client.range({ key: '/l', revision: 1e9 }))).to.equal('FutureRevision');
    const other = openEmbeddedStore({ dataFile: ':memory:' });
    const sink = recorder();
    const otherClient = new DirectClient(other);
    otherClient.watch({ key: '/a', startRevision: 0 }, sink);
    await sink.until(/created/);
    other.close();
    expect(sink.said).to.deep.equal(['created', 'end Unavailable']);
    expect(await codeOf(otherClient.status())).to.equal('Unavailable');
  });

  it('grants leases that take their keys with them', async () => {
    const lease = await client.leaseGrant(60);
    await client.put({ key: '/leased', value: Buffer.from('1'), lease });
    expect(await client.leaseTimeToLive(lease)).to.be.within(58, 60);
    await client.leaseRevoke(lease);
    expect((await client.range({ key: '/leased' })).count).to.equal(0);
    expect(await client.leaseTimeToLive(lease)).to.equal(-1);
  });
});
