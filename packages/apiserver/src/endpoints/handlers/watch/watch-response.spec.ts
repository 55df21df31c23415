import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { WatchEvent } from '@kubechain/shared-storage';
import { expect } from 'chai';
import { WatchResponse } from './watch-response.ts';

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
  let stopped: number;
  let finished: number;
  let sent: number[];

  const open = (frame: (given: WatchEvent) => Uint8Array | Promise<Uint8Array> = textOf): WatchResponse => {
    const sink = new WatchResponse(
      response as unknown as ServerResponse,
      { frame },
      {
        sent: (bytes) => {
          sent.push(bytes);
        },
        finished: () => {
          finished++;
        },
      },
    );
    sink.attach({
      stop: () => {
        stopped++;
      },
      drained: () => {
        drained++;
      },
    });
    return sink;
  };

  beforeEach(() => {
    response = new FakeResponse();
    drained = stopped = finished = 0;
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

  it('ends the watch when the source ignores that', () => {
    const sink = open();
    response.full = true;
    for (let i = 0; i <= 129; i++) sink.event(event(i));
    expect({ stopped, finished, ended: response.writableEnded }).to.deep.equal({
      stopped: 1,
      finished: 1,
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
    sink.end();
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
    expect(response.written).to.deep.equal(['1', '2', '3']);
    expect(response.writableEnded).to.equal(true);
  });

  it('stops the watch when the client goes away', () => {
    const sink = open();
    response.emit('close');
    expect(stopped).to.equal(1);
    sink.event(event(1));
    expect(response.written).to.deep.equal([]);
  });

  it('ends after an error event, and when an event has no representation', () => {
    open().event({ type: 'ERROR', error: new TypeError('x') });
    expect(response.writableEnded).to.equal(true);
    response = new FakeResponse();
    open(() => {
      throw new TypeError('x');
    }).event(event(1));
    expect(response.writableEnded).to.equal(true);
  });
});
