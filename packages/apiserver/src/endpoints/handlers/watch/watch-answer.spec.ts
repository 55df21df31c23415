import { expect } from 'chai';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import { jsonMediaType, protobufMediaType } from '../../../negotiation/media-types.ts';
import { WebSocketAnswer } from './watch-answer.ts';

describe('WebSocketAnswer', () => {
  let sent: Buffer;
  let socket: Duplex;
  const headers = {
    upgrade: 'websocket',
    connection: 'Upgrade',
    'sec-websocket-key': 'k',
    'sec-websocket-version': '13',
    origin: 'https://host',
  };
  const answer = (more: Record<string, string> = {}): WebSocketAnswer =>
    new WebSocketAnswer(
      { method: 'GET', headers: { ...headers, ...more } } as unknown as IncomingMessage,
      socket,
      Buffer.alloc(0),
    );
  const afterHead = (): string => sent.subarray(sent.indexOf('\r\n\r\n') + 4).toString('hex');

  beforeEach(() => {
    sent = Buffer.alloc(0);
    socket = new Duplex({
      read() {
        /* the client is silent */
      },
      write(chunk: Buffer, _encoding, done) {
        sent = Buffer.concat([sent, chunk]);
        done();
      },
    });
  });

  it('shakes hands no sooner than there is something to say', () => {
    const watch = answer();
    watch.prepare(jsonMediaType);
    expect([sent.length, watch.begun]).to.deep.equal([0, false]);
    watch.begin();
    watch.begin();
    expect(sent.toString('latin1').match(/HTTP\/1\.1 101/g)).to.have.length(1);
    expect(watch.begun).to.equal(true);
  });

  it('carries the one frame of a watch that failed, and says goodbye', async () => {
    const watch = answer();
    watch.prepare(jsonMediaType);
    watch.frames.write(Buffer.from('{}\n'));
    watch.frames.end();
    await once(socket, 'close');
    expect(afterHead()).to.equal('81037b7d0a' + '880203e8');
  });

  it('takes the length off the frames of protobuf', () => {
    const watch = answer();
    watch.prepare(protobufMediaType);
    watch.write(Buffer.of(0, 0, 0, 2, 8, 9));
    expect(afterHead()).to.equal('82020809');
  });

  it('drops everything after a refused handshake', async () => {
    const watch = answer({ origin: '' });
    watch.prepare(jsonMediaType);
    expect(watch.write(Buffer.from('{}\n'))).to.equal(true);
    await once(socket, 'close');
    expect(sent.toString('latin1')).to.equal('HTTP/1.1 403 Forbidden\r\n\r\n');
    expect(watch.writableEnded).to.equal(true);
  });
});
