import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { StorageError, type WatchEvent } from '@kubechain/shared-storage';
import { expect } from 'chai';
import { abortReason } from '../../../request/server-request-context.ts';
import { WatchResponse } from './watch-response.ts';
import type { WatchTermination } from './watch-termination.ts';

/** A response whose buffer is full when told so. */
class FakeResponse extends EventEmitter {
  readonly written: string[] = [];
  full = false;
  writableEnded = false;
  write(chunk: Buffer): boolean {
    this.written.push(chunk.toString());
    return !this.full;
  }
  end(): void {
    this.writableEnded = true;
  }
}

const event = (revision: number): WatchEvent => ({ type: 'BOOKMARK', revision, initialEventsEnd: false });
const textOf = (given: WatchEvent): Buffer =>
  Buffer.from(given.type === 'BOOKMARK' ? String(given.revision) : given.type);

describe('WatchResponse', () => {
  let response: FakeResponse;
  let drained: number;
  /** As `drained`, when the watch was attached. */
  let drainedAtOnce: number;
  let stopped: number;
  let reasons: WatchTermination[];
  let sent: number[];

  type Frame = (given: WatchEvent) => Uint8Array | Promise<Uint8Array>;
  const make = (frame: Frame = textOf): WatchResponse =>
    new WatchResponse(
      response as unknown as ServerResponse,
      { frame },
      {
        sent: (bytes) => {
          sent.push(bytes);
        },
        finished: (reason) => {
          reasons.push(reason);
        },
      },
    );
  const attach = (sink: WatchResponse): void => {
    sink.attach({
      stop: () => {
        stopped++;
      },
      drained: () => {
        drained++;
      },
    });
    drainedAtOnce = drained;
    drained = 0;
  };
  const open = (frame?: Frame): WatchResponse => {
    const sink = make(frame);
    attach(sink);
    return sink;
  };

  beforeEach(() => {
    response = new FakeResponse();
    drained = drainedAtOnce = stopped = 0;
    reasons = [];
    sent = [];
  });

  it('writes through while the client takes it', () => {
    const sink = open();
    expect([sink.event(event(1)), sink.event(event(2))]).to.deep.equal([true, true]);
    expect(response.written).to.deep.equal(['1', '2']);
    expect(sent).to.deep.equal([1, 1]);
  });

  it('queues while the socket is full, then tells the source', () => {
    const sink = open();
    response.full = true;
    expect(sink.event(event(1))).to.equal(false);
    expect(sink.event(event(2))).to.equal(false);
    expect(response.written).to.deep.equal(['1']);
    response.full = false;
    response.emit('drain');
    expect(response.written).to.deep.equal(['1', '2']);
    expect(drained).to.equal(1);
  });

  it('tells the source when it could take more before it knew the watch', async () => {
    const sink = make((given) => Promise.resolve(textOf(given)));
    expect(sink.event(event(1))).to.equal(false);
    await new Promise(setImmediate);
    expect(response.written).to.deep.equal(['1']);
    attach(sink);
    expect(drainedAtOnce).to.equal(1);
  });

  it('holds the source back until the socket takes more, also when it was full before the watch was known', () => {
    const sink = make();
    response.full = true;
    sink.event(event(1));
    attach(sink);
    expect(drainedAtOnce).to.equal(0);
    response.emit('drain');
    expect(drained).to.equal(1);
  });

  it('ends the watch when the source ignores that', () => {
    const sink = open();
    response.full = true;
    for (let i = 0; i <= 129; i++) sink.event(event(i));
    expect({ stopped, reasons, ended: response.writableEnded }).to.deep.equal({
      stopped: 1,
      reasons: [{ kind: 'slow' }],
      ended: true,
    });
  });

  it('keeps the order of events when frames have to wait', async () => {
    const sink = open((given) =>
      given.type === 'BOOKMARK' && given.revision === 1
        ? new Promise((resolve) => {
            setTimeout(() => {
              resolve(textOf(given));
            }, 5);
          })
        : textOf(given),
    );
    for (let i = 1; i <= 3; i++) sink.event(event(i));
    sink.end({ kind: 'overtaken' });
    expect(reasons).to.deep.equal([]);
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
    expect(response.written).to.deep.equal(['1', '2', '3']);
    expect(response.writableEnded).to.equal(true);
    expect(reasons).to.deep.equal([{ kind: 'overtaken' }]);
  });

  it('stops the watch when the client goes away', () => {
    const sink = open();
    response.emit('close');
    expect(stopped).to.equal(1);
    sink.event(event(1));
    expect(response.written).to.deep.equal([]);
  });

  it('ends after an error event', () => {
    open().event({ type: 'ERROR', error: new TypeError('x') });
    expect(response.writableEnded).to.equal(true);
  });

  it('ends when an event has no representation', () => {
    open(() => {
      throw new TypeError('x');
    }).event(event(1));
    expect(response.writableEnded).to.equal(true);
  });

  describe('the reason of the end', () => {
    const failure = new TypeError('x');
    const early = new StorageError('TooLargeResourceVersion', 'Too large resource version: 9, current: 5', {
      retryAfterSeconds: 1,
    });
    const gone = new StorageError('ResourceExpired', 'too old resource version: 1 (5)');
    const rows: readonly (readonly [what: string, reason: WatchTermination, end: (sink: WatchResponse) => void])[] = [
      ['a timer', { kind: 'timeout' }, (sink) => sink.finish({ kind: 'timeout' })],
      ['a client that left', { kind: 'client_left' }, () => response.emit('close')],
      [
        'a client that left, as the storage hears of it',
        { kind: 'client_left' },
        (sink) => sink.end({ kind: 'stopped', reason: abortReason('client') }),
      ],
      [
        'a server that shuts down',
        { kind: 'shutting_down' },
        (sink) => sink.end({ kind: 'stopped', reason: abortReason('shutdown') }),
      ],
      ['a deadline', { kind: 'timeout' }, (sink) => sink.end({ kind: 'stopped', reason: abortReason('deadline') })],
      ['a slow watcher', { kind: 'slow' }, (sink) => sink.end({ kind: 'slow' })],
      ['a watcher that history has left behind', { kind: 'overtaken' }, (sink) => sink.end({ kind: 'overtaken' })],
      ['a cache that starts over', { kind: 'reinitialized' }, (sink) => sink.end({ kind: 'reinitialized' })],
      ['a source that is closed', { kind: 'closed' }, (sink) => sink.end({ kind: 'closed' })],
      ['history that is gone', { kind: 'expired', error: gone }, (sink) => sink.event({ type: 'ERROR', error: gone })],
      [
        'a resourceVersion that is too new',
        { kind: 'too_new', error: early },
        (sink) => sink.event({ type: 'ERROR', error: early }),
      ],
      [
        'an error of the source',
        { kind: 'failed', error: failure },
        (sink) => sink.event({ type: 'ERROR', error: failure }),
      ],
    ];
    for (const [what, reason, end] of rows) {
      it(`tells of ${what}, once`, () => {
        const sink = open();
        end(sink);
        sink.end({ kind: 'stopped' });
        response.emit('close');
        expect(reasons).to.deep.equal([reason]);
      });
    }

    it('tells of an event without a representation', () => {
      open(() => {
        throw failure;
      }).event(event(1));
      expect(reasons).to.deep.equal([{ kind: 'unencodable', error: failure }]);
    });

    it('tells of an event whose conversion fails', async () => {
      open(() => Promise.reject(failure)).event(event(1));
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      expect(reasons).to.deep.equal([{ kind: 'unencodable', error: failure }]);
    });
  });
});
