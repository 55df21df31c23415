import { expect } from 'chai';
import { getEventListeners } from 'node:events';
import { settle } from '@kubechain/apimachinery/testing';
import { StorageError } from '@kubechain/shared-storage';
import { InformerMetrics, MetricRegistry } from '@kubechain/shared-storage/metrics';
import type { ListResult, ObjectRecord, StorageInterface, Watch, WatchSink } from '@kubechain/shared-storage';
import { ObjectInformer, type InformerChange } from './object-informer.ts';

function record(name: string, revision: number): ObjectRecord {
  return {
    key: `/registry/things/${name}`,
    revision,
    json: new Uint8Array(),
    attributes: { name, namespace: '', labels: undefined, fields: {} },
    object: () => ({ metadata: { name } }),
  };
}

/** Hands out what is listed and its watches, so that a test plays the store. */
class Script {
  readonly sinks: WatchSink[] = [];
  /** What the next lists answer. */
  listed: ObjectRecord[] = [];
  lists = 0;
  /** How the next list or watch fails. */
  fail: Error | undefined;
  readonly storage = {
    getList: (): Promise<ListResult> => {
      this.lists++;
      return this.#failed() ?? Promise.resolve({ items: this.listed, resourceVersion: '5', continue: '' });
    },
    watch: (_key: string, _options: object, sink: WatchSink): Promise<Watch> => {
      const failed = this.#failed();
      if (failed !== undefined) return failed;
      this.sinks.push(sink);
      return Promise.resolve({ stop: () => sink.end({ kind: 'stopped' }), drained: () => undefined });
    },
  } as unknown as StorageInterface;

  #failed(): Promise<never> | undefined {
    const { fail } = this;
    this.fail = undefined;
    return fail === undefined ? undefined : Promise.reject(fail);
  }

  async sink(index: number): Promise<WatchSink> {
    while (this.sinks.length <= index) await new Promise((resolve) => setTimeout(resolve, 1));
    return this.sinks[index]!;
  }
}

describe('ObjectInformer', () => {
  let script: Script;
  let informer: ObjectInformer<string>;
  let changes: string[];
  let errors: unknown[];
  let registry: MetricRegistry;
  beforeEach(() => {
    script = new Script();
    changes = [];
    errors = [];
    registry = new MetricRegistry();
    informer = new ObjectInformer({
      storage: script.storage,
      keyRoot: '/registry/things',
      informerEnds: new InformerMetrics(registry),
      retryDelayMs: 1,
      onError: (error) => errors.push(error),
      transform: ({ attributes, revision }) => {
        if (attributes.name === 'broken') throw new TypeError('broken');
        return attributes.name === 'ignored' ? undefined : `${attributes.name}@${revision}`;
      },
    });
    informer.onChange((change: InformerChange<string>) =>
      changes.push(change.kind === 'set' ? `${change.previous ?? '-'} > ${change.value}` : `${change.previous} > -`),
    );
    informer.start();
  });
  afterEach(() => informer.stop());

  it('shows nothing before the list is there, then all of it', async () => {
    let list: (result: ListResult) => void = () => undefined;
    informer.stop();
    informer = new ObjectInformer({
      storage: {
        ...script.storage,
        getList: () => new Promise<ListResult>((resolve) => (list = resolve)),
      } as unknown as StorageInterface,
      keyRoot: '/registry/things',
      transform: ({ attributes, revision }) => `${attributes.name}@${revision}`,
    });
    informer.start();
    let synced = false;
    const waiting = informer.waitForSync().then(() => (synced = true));
    await settle();
    expect([informer.hasSynced, synced, informer.size]).to.deep.equal([false, false, 0]);
    list({ items: [record('a', 1), record('b', 2)], resourceVersion: '5', continue: '' });
    await waiting;
    expect([...informer.values()]).to.deep.equal(['a@1', 'b@2']);
    expect(informer.get('a')).to.equal('a@1');
  });
  it('keeps nobody who waits for it longer than they do', async () => {
    const waits = new AbortController();
    const gone = new AbortController();
    const unsynced = new ObjectInformer({ storage: script.storage, keyRoot: '/registry/others', transform: () => '' });
    const waiting = [unsynced.waitForSync(waits.signal), unsynced.waitForSync(gone.signal)];
    gone.abort();
    await waiting[1];
    expect(getEventListeners(gone.signal, 'abort')).to.have.length(0);
    expect(getEventListeners(waits.signal, 'abort')).to.have.length(1);
    unsynced.start();
    await waiting[0];
    expect(getEventListeners(waits.signal, 'abort')).to.have.length(0);
    unsynced.stop();
  });
  it('follows changes', async () => {
    const sink = await script.sink(0);
    sink.event({ type: 'ADDED', record: record('a', 6) });
    sink.event({ type: 'MODIFIED', record: record('a', 7) });
    sink.event({ type: 'DELETED', record: record('a', 8) });
    sink.event({ type: 'DELETED', record: record('never', 9) });
    expect(changes).to.deep.equal(['- > a@6', 'a@6 > a@7', 'a@7 > -']);
  });
  it('goes on where it was after a watch that ended', async () => {
    const first = await script.sink(0);
    first.event({ type: 'ADDED', record: record('a', 6) });
    first.end({ kind: 'slow' });
    const second = await script.sink(1);
    second.event({ type: 'ADDED', record: record('b', 7) });
    expect(changes).to.deep.equal(['- > a@6', '- > b@7']);
    expect(script.lists).to.equal(1);
  });
  it('counts why its watches end', async () => {
    (await script.sink(0)).end({ kind: 'slow' });
    (await script.sink(1)).end({ kind: 'failed', error: new StorageError('Unreachable', 'away') });
    (await script.sink(2)).end({ kind: 'slow' });
    await script.sink(3);
    const samples = registry.samples('apiserver_informer_watch_terminations_total');
    expect(samples.map(({ labels, value }) => [labels?.['key_root'], labels?.['reason'], value])).to.deep.equal([
      ['/registry/things', 'slow', 2],
      ['/registry/things', 'failed', 1],
    ]);
  });

  it('lists and compares when history is gone, and keeps answering meanwhile', async () => {
    const first = await script.sink(0);
    for (const name of ['same', 'changed', 'gone']) first.event({ type: 'ADDED', record: record(name, 6) });
    changes.length = 0;
    script.listed = [record('same', 6), record('changed', 8), record('new', 7)];
    const gone = new StorageError('ResourceExpired', 'too old');
    script.fail = new TypeError('store is away');
    first.event({ type: 'ERROR', error: gone });
    first.end({ kind: 'failed', error: gone });
    expect(informer.get('gone')).to.equal('gone@6');
    expect(changes).to.deep.equal([]);
    await script.sink(1);
    expect(errors).to.deep.equal([gone, new TypeError('store is away')]);
    expect(changes).to.deep.equal(['gone@6 > -', 'changed@6 > changed@8', '- > new@7']);
  });
  it('leaves out what the transform leaves out or cannot read', async () => {
    const sink = await script.sink(0);
    sink.event({ type: 'ADDED', record: record('broken', 1) });
    sink.event({ type: 'ADDED', record: record('ignored', 2) });
    expect(informer.size).to.equal(0);
    expect(errors).to.have.lengthOf(1);
  });
  it('does nothing after stop', async () => {
    const sink = await script.sink(0);
    informer.stop();
    sink.event({ type: 'ADDED', record: record('a', 6) });
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect([changes, script.sinks.length]).to.deep.equal([[], 1]);
  });
});
