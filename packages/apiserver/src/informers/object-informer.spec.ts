import { expect } from 'chai';
import type { ObjectRecord, StorageInterface, Watch, WatchSink } from '@kubechain/shared-storage';
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

/** Hands out its watches, so that a test plays the store. */
class Script {
  readonly sinks: WatchSink[] = [];
  fail: Error | undefined;
  readonly storage = {
    watch: async (_key: string, _options: object, sink: WatchSink): Promise<Watch> => {
      if (this.fail !== undefined) {
        const error = this.fail;
        this.fail = undefined;
        throw error;
      }
      this.sinks.push(sink);
      return { stop: () => sink.end({ kind: 'stopped' }), drained: () => undefined };
    },
  } as unknown as StorageInterface;

  async sink(index: number): Promise<WatchSink> {
    while (this.sinks.length <= index) await new Promise((resolve) => setTimeout(resolve, 1));
    return this.sinks[index]!;
  }
}
const initialEnd = { type: 'BOOKMARK', revision: 5, initialEventsEnd: true } as const;

describe('ObjectInformer', () => {
  let script: Script;
  let informer: ObjectInformer<string>;
  let changes: string[];
  let errors: unknown[];
  beforeEach(() => {
    script = new Script();
    changes = [];
    errors = [];
    informer = new ObjectInformer({
      storage: script.storage,
      keyRoot: '/registry/things',
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

  it('shows nothing before the initial state is complete, then all of it', async () => {
    const sink = await script.sink(0);
    let synced = false;
    const waiting = informer.waitForSync().then(() => (synced = true));
    sink.event({ type: 'ADDED', record: record('a', 1) });
    sink.event({ type: 'ADDED', record: record('b', 2) });
    await new Promise((resolve) => setTimeout(resolve, 2));
    expect([informer.hasSynced, synced, informer.size]).to.deep.equal([false, false, 0]);
    sink.event(initialEnd);
    await waiting;
    expect([...informer.values()]).to.deep.equal(['a@1', 'b@2']);
    expect(informer.get('a')).to.equal('a@1');
  });
  it('follows changes', async () => {
    const sink = await script.sink(0);
    sink.event(initialEnd);
    sink.event({ type: 'ADDED', record: record('a', 6) });
    sink.event({ type: 'MODIFIED', record: record('a', 7) });
    sink.event({ type: 'DELETED', record: record('a', 8) });
    sink.event({ type: 'DELETED', record: record('never', 9) });
    expect(changes).to.deep.equal(['- > a@6', 'a@6 > a@7', 'a@7 > -']);
  });
  it('compares after a broken watch and keeps answering meanwhile', async () => {
    const first = await script.sink(0);
    for (const name of ['same', 'changed', 'gone']) first.event({ type: 'ADDED', record: record(name, 1) });
    first.event(initialEnd);
    changes.length = 0;
    script.fail = new TypeError('store is away');
    first.end({ kind: 'reinitialized' });
    const second = await script.sink(1);
    expect(errors).to.deep.equal([new TypeError('store is away')]);
    second.event({ type: 'ADDED', record: record('same', 1) });
    second.event({ type: 'ADDED', record: record('changed', 4) });
    second.event({ type: 'ADDED', record: record('new', 3) });
    expect(informer.get('gone')).to.equal('gone@1');
    expect(changes).to.deep.equal([]);
    second.event(initialEnd);
    expect(changes).to.deep.equal(['gone@1 > -', 'changed@1 > changed@4', '- > new@3']);
  });
  it('leaves out what the transform leaves out or cannot read', async () => {
    const sink = await script.sink(0);
    sink.event({ type: 'ADDED', record: record('broken', 1) });
    sink.event({ type: 'ADDED', record: record('ignored', 2) });
    sink.event(initialEnd);
    expect(informer.size).to.equal(0);
    expect(errors).to.have.lengthOf(1);
  });
  it('does nothing after stop', async () => {
    const sink = await script.sink(0);
    sink.event(initialEnd);
    informer.stop();
    sink.event({ type: 'ADDED', record: record('a', 6) });
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect([changes, script.sinks.length]).to.deep.equal([[], 1]);
  });
});
