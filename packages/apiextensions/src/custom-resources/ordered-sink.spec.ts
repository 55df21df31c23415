import type { ObjectRecord, Watch, WatchEnd, WatchEvent } from '@kubechain/shared-storage';
import { assert } from 'chai';
import { OrderedSink } from './ordered-sink.ts';

const record = (name: string): ObjectRecord => ({
  key: `/${name}`,
  revision: 1,
  json: Buffer.from('{}'),
  attributes: { name, namespace: '', labels: undefined, fields: {} },
  object: () => ({}),
});
const added = (name: string): WatchEvent => ({ type: 'ADDED', record: record(name) });

class Recorder {
  readonly seen: string[] = [];
  readonly ends: string[] = [];
  open = true;
  event(event: WatchEvent): boolean {
    this.seen.push('record' in event ? event.record.key : event.type);
    return this.open;
  }
  end({ kind }: WatchEnd): void {
    this.ends.push(kind);
  }
}

const watch = (): Watch & { stopped: number; drains: number } => {
  const state = {
    stopped: 0,
    drains: 0,
    stop: () => {
      state.stopped++;
    },
    drained: () => {
      state.drains++;
    },
  };
  return state;
};

describe('OrderedSink', () => {
  it('passes events at once while nothing has to wait', () => {
    const sink = new Recorder();
    const ordered = new OrderedSink(sink, (own) => own);
    assert.isTrue(ordered.event(added('a')));
    assert.isTrue(ordered.event({ type: 'BOOKMARK', revision: 3, initialEventsEnd: false }));
    assert.deepEqual(sink.seen, ['/a', 'BOOKMARK']);
  });

  it('keeps the order while one record is being converted', async () => {
    const sink = new Recorder();
    const waiting: (() => void)[] = [];
    const ordered = new OrderedSink(sink, (own) =>
      own.record.key === '/slow'
        ? new Promise((resolve) => {
            waiting.push(() => {
              resolve({ type: 'ADDED', record: record('converted') });
            });
          })
        : own,
    );
    const source = watch();
    ordered.attach(source);
    assert.isFalse(ordered.event(added('slow')));
    assert.isFalse(ordered.event(added('next')));
    assert.deepEqual(sink.seen, []);
    waiting[0]?.();
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    assert.deepEqual(sink.seen, ['/converted', '/next']);
    assert.equal(source.drains, 1);
  });

  it('leaves out what is not wanted, at once or after a wait', async () => {
    const sink = new Recorder();
    const ordered = new OrderedSink(sink, (own) =>
      own.record.key === '/no' ? undefined : Promise.resolve(own.record.key === '/late' ? undefined : own),
    );
    assert.isTrue(ordered.event(added('no')));
    ordered.event(added('late'));
    ordered.event(added('a'));
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    assert.deepEqual(sink.seen, ['/a']);
  });

  it('sends what is queued before it ends', async () => {
    const sink = new Recorder();
    const ordered = new OrderedSink(sink, (own) => Promise.resolve(own));
    ordered.event(added('a'));
    ordered.event(added('b'));
    ordered.end({ kind: 'overtaken' });
    assert.deepEqual(sink.ends, []);
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    assert.deepEqual([sink.seen, sink.ends], [['/a', '/b'], ['overtaken']]);
  });

  it('ends with the error of a conversion that fails', async () => {
    const sink = new Recorder();
    const ordered = new OrderedSink(sink, () => Promise.reject(new TypeError('no')));
    const source = watch();
    ordered.attach(source);
    ordered.event(added('a'));
    ordered.event(added('b'));
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    assert.deepEqual([sink.seen, sink.ends, source.stopped], [['ERROR'], ['failed'], 1]);
  });

  it('ends a watch whose source does not hold back while a conversion takes long', () => {
    const sink = new Recorder();
    const ordered = new OrderedSink(sink, () => new Promise(() => undefined));
    for (let i = 0; i < 1_026; i++) ordered.event(added(`a${i}`));
    assert.deepEqual(sink.ends, ['slow']);
  });

  it('tells the source when it could take more before it knew the watch', async () => {
    const sink = new Recorder();
    const source = watch();
    const ordered = new OrderedSink(sink, (own) => Promise.resolve(own));
    assert.isFalse(ordered.event(added('a')));
    await new Promise(setImmediate);
    assert.deepEqual(sink.seen, ['/a']);
    ordered.attach(source);
    assert.equal(source.drains, 1);
  });

  it('holds back while the client is slow', () => {
    const sink = new Recorder();
    sink.open = false;
    const ordered = new OrderedSink(sink, (own) => own);
    const control = ordered.attach(watch());
    assert.isFalse(ordered.event(added('a')));
    assert.isFalse(ordered.event(added('b')));
    assert.deepEqual(sink.seen, ['/a']);
    sink.open = true;
    control.drained();
    assert.deepEqual(sink.seen, ['/a', '/b']);
  });
});
