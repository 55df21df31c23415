import type { ObjectRecord, Watch, WatchEnd, WatchEvent } from '@kubechain/shared-storage';
import { expect } from 'chai';
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
    expect(ordered.event(added('a'))).to.equal(true);
    expect(ordered.event({ type: 'BOOKMARK', revision: 3, initialEventsEnd: false })).to.equal(true);
    expect(sink.seen).to.deep.equal(['/a', 'BOOKMARK']);
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
    expect(ordered.event(added('slow'))).to.equal(false);
    expect(ordered.event(added('next'))).to.equal(false);
    expect(sink.seen).to.deep.equal([]);
    waiting[0]?.();
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    expect(sink.seen).to.deep.equal(['/converted', '/next']);
    expect(source.drains).to.equal(1);
  });

  it('leaves out what is not wanted, at once or after a wait', async () => {
    const sink = new Recorder();
    const ordered = new OrderedSink(sink, (own) =>
      own.record.key === '/no' ? undefined : Promise.resolve(own.record.key === '/late' ? undefined : own),
    );
    expect(ordered.event(added('no'))).to.equal(true);
    ordered.event(added('late'));
    ordered.event(added('a'));
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    expect(sink.seen).to.deep.equal(['/a']);
  });

  it('sends what is queued before it ends', async () => {
    const sink = new Recorder();
    const ordered = new OrderedSink(sink, (own) => Promise.resolve(own));
    ordered.event(added('a'));
    ordered.event(added('b'));
    ordered.end({ kind: 'overtaken' });
    expect(sink.ends).to.deep.equal([]);
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    expect([sink.seen, sink.ends]).to.deep.equal([['/a', '/b'], ['overtaken']]);
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
    expect([sink.seen, sink.ends, source.stopped]).to.deep.equal([['ERROR'], ['failed'], 1]);
  });

  it('ends a watch whose source does not hold back while a conversion takes long', () => {
    const sink = new Recorder();
    const ordered = new OrderedSink(sink, () => new Promise(() => undefined));
    for (let i = 0; i < 1_026; i++) ordered.event(added(`a${i}`));
    expect(sink.ends).to.deep.equal(['slow']);
  });

  it('tells the source when it could take more before it knew the watch', async () => {
    const sink = new Recorder();
    const source = watch();
    const ordered = new OrderedSink(sink, (own) => Promise.resolve(own));
    expect(ordered.event(added('a'))).to.equal(false);
    await new Promise(setImmediate);
    expect(sink.seen).to.deep.equal(['/a']);
    ordered.attach(source);
    expect(source.drains).to.equal(1);
  });

  it('holds back while the client is slow', () => {
    const sink = new Recorder();
    sink.open = false;
    const ordered = new OrderedSink(sink, (own) => own);
    const control = ordered.attach(watch());
    expect(ordered.event(added('a'))).to.equal(false);
    expect(ordered.event(added('b'))).to.equal(false);
    expect(sink.seen).to.deep.equal(['/a']);
    sink.open = true;
    control.drained();
    expect(sink.seen).to.deep.equal(['/a', '/b']);
  });
});
