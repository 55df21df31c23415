import { FakeClock } from '@kubechain/apimachinery/testing';
import { expect } from 'chai';
import { duplexPair, type Duplex } from 'node:stream';
import { PacedStream } from './paced-stream.ts';

describe('a stream at a pace', () => {
  let clock: FakeClock;
  let near: PacedStream;
  let far: Duplex;
  let connection: Duplex;
  beforeEach(() => {
    clock = new FakeClock();
    [connection, far] = duplexPair();
    near = new PacedStream(connection, 1000, clock);
  });
  afterEach(() => {
    near.destroy();
    far.destroy();
  });
  const bytesOf = (stream: Duplex): (() => number) => {
    let bytes = 0;
    stream.on('data', (chunk: Buffer) => (bytes += chunk.length));
    return () => bytes;
  };

  it('reads as many bytes in a second as it may, in small pieces', async () => {
    const read = bytesOf(near);
    far.write(Buffer.alloc(2500));
    await clock.advance(100);
    expect(read()).to.be.within(50, 150);
    await clock.advance(900);
    expect(read()).to.be.within(950, 1050);
    await clock.advance(2000);
    expect(read()).to.equal(2500);
  });

  it('writes as many, whatever is read meanwhile', async () => {
    const written = bytesOf(far);
    const read = bytesOf(near);
    near.write(Buffer.alloc(2500));
    far.write(Buffer.alloc(100));
    await clock.advance(1000);
    expect(written()).to.be.within(950, 1050);
    expect(read()).to.equal(100);
  });

  it('ends with what it carries, all of which has come', async () => {
    const ended: string[] = [];
    const read = bytesOf(near);
    near.once('end', () => ended.push('near'));
    far.end(Buffer.alloc(120));
    await clock.advance(20);
    expect([read(), ended]).to.deep.equal([50, []]);
    await clock.advance(1000);
    expect([read(), ended]).to.deep.equal([120, ['near']]);
  });

  it('leaves no timer and no connection behind when it is cut', async () => {
    bytesOf(near);
    far.write(Buffer.alloc(2500));
    near.write(Buffer.alloc(2500));
    await clock.advance(100);
    near.destroy();
    await clock.advance(0);
    expect([clock.timers, connection.destroyed]).to.deep.equal([0, true]);
  });
});
