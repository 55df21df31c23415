import { encodeWatchFrame } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { FaultyWatch, type EventFaults } from './faulty-watch.ts';
import { watchStream, type WatchStream } from './watch-stream.ts';

const withoutBookmarks: EventFaults = { delayMs: 0, withoutBookmarks: true };
const json = (type: string, annotation = ''): Buffer =>
  Buffer.from(`{"type":"${type}","object":{"a":"${annotation}"}}\n`);
const protobuf = (type: string, annotation = ''): Buffer => encodeWatchFrame(type, Buffer.from(annotation));

describe('a watch that meets faults', () => {
  let sent: Buffer[];
  let ended: boolean;
  let stream: WatchStream;
  let watch: FaultyWatch;

  const begin = (contentType: string): void => {
    sent = [];
    ended = false;
    stream = watchStream(contentType) as WatchStream;
    watch = new FaultyWatch({
      write: (bytes) => {
        stream.sent(bytes);
        sent.push(bytes);
      },
      end: () => void (ended = true),
    });
  };

  for (const [contentType, event] of [
    ['application/json', json],
    ['application/vnd.kubernetes.protobuf;stream=watch', protobuf],
  ] as const) {
    const initial = event('BOOKMARK', 'k8s.io/initial-events-end');
    const events = [event('ADDED'), event('BOOKMARK'), initial, event('BOOKMARK'), event('DELETED')];
    const kept = Buffer.concat([event('ADDED'), initial, event('DELETED')]);

    it(`gets no bookmarks in ${contentType}, wherever its pieces end`, () => {
      const bytes = Buffer.concat(events);
      for (let size = 1; size <= bytes.length; size++) {
        begin(contentType);
        for (let at = 0; at < bytes.length; at += size)
          watch.send(bytes.subarray(at, at + size), stream, withoutBookmarks);
        expect(Buffer.concat(sent).equals(kept), `pieces of ${size}`).to.equal(true);
        expect(watch.isIdle).to.equal(true);
      }
    });

    it(`is sent to its end what began before the fault in ${contentType}`, () => {
      begin(contentType);
      const first = event('BOOKMARK');
      stream.sent(first.subarray(0, 6));
      watch.send(first.subarray(6), stream, withoutBookmarks);
      expect(Buffer.concat(sent).equals(first.subarray(6))).to.equal(true);
      watch.send(event('BOOKMARK'), stream, withoutBookmarks);
      expect(sent).to.have.length(1);
    });
  }

  it('gets late events in their order, and ends behind them', async () => {
    begin('application/json');
    watch.send(json('ADDED', '1'), stream, { delayMs: 20, withoutBookmarks: false });
    watch.send(json('ADDED', '2'), stream, { delayMs: 0, withoutBookmarks: false });
    watch.end();
    expect([sent.length, ended]).to.deep.equal([0, false]);
    while (!ended) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(Buffer.concat(sent).equals(Buffer.concat([json('ADDED', '1'), json('ADDED', '2')]))).to.equal(true);
  });
});
