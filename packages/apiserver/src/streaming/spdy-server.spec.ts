import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, connect, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createDeflate, constants } from 'node:zlib';
import { SpdyClient } from './spdy-client.ts';
import { spdyDictionary } from './spdy-dictionary.ts';
import { synStreamFrame } from './spdy-frames.ts';
import { SpdyServer, type OpenedStream } from './spdy-server.ts';

describe('the server of a SPDY connection', () => {
  let ends: Socket[] = [];
  afterEach(() => {
    for (const end of ends) end.destroy();
    ends = [];
  });
  const pair = async (): Promise<readonly [Socket, Socket]> => {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const accepted = once(server, 'connection');
    const near = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const [far] = (await accepted) as [Socket];
    server.close();
    ends.push(near, far);
    return [near, far];
  };
  /** Answers with what it gets, in capitals. */
  const echo = ({ stream }: OpenedStream) => ({
    data: (chunk: Buffer) => void stream.write(Buffer.from(chunk.toString().toUpperCase())),
    end: () => stream.end(),
  });

  it('takes streams, with their headers, and carries them both ways', async () => {
    const [near, far] = await pair();
    const opened: OpenedStream[] = [];
    const server = new SpdyServer(far, Buffer.alloc(0), (each) => {
      opened.push(each);
      return echo(each);
    });
    const client = new SpdyClient(near, Buffer.alloc(0));
    const texts = ['', ''];
    const ended = Promise.withResolvers<void>();
    let open = 2;
    const streams = [];
    for (const i of [0, 1])
      streams.push(
        await client.createStream(
          { streamType: 'data', port: `${80 + i}` },
          {
            data: (chunk) => (texts[i] += chunk.toString()),
            end: () => {
              if (--open === 0) ended.resolve();
            },
          },
        ),
      );
    for (const [i, stream] of streams.entries()) {
      stream.write(Buffer.from(`text ${i}`));
      stream.end();
    }
    await ended.promise;
    expect(texts).to.deep.equal(['TEXT 0', 'TEXT 1']);
    expect(opened.map(({ headers }) => [headers.get('streamtype'), headers.get('port')])).to.deep.equal([
      ['data', '80'],
      ['data', '81'],
    ]);
    server.close();
    client.close();
  });

  it("reads headers that are compressed against SPDY's dictionary", async () => {
    const [near, far] = await pair();
    const opened = Promise.withResolvers<OpenedStream>();
    new SpdyServer(far, Buffer.alloc(0), (each) => {
      opened.resolve(each);
      return echo(each);
    });
    const deflate = createDeflate({ dictionary: spdyDictionary() });
    const text = (value: string): Buffer => Buffer.concat([Buffer.of(0, 0, 0, value.length), Buffer.from(value)]);
    const chunks: Buffer[] = [];
    deflate.on('data', (chunk: Buffer) => chunks.push(chunk));
    deflate.write(Buffer.concat([Buffer.of(0, 0, 0, 1), text('port'), text('8080')]));
    await new Promise<void>((resolve) => deflate.flush(constants.Z_SYNC_FLUSH, () => resolve()));
    near.write(synStreamFrame(1, Buffer.concat(chunks)));
    expect([...(await opened.promise).headers]).to.deep.equal([['port', '8080']]);
  });
});
