import { FakeClock } from '@kubechain/apimachinery/testing';
import { expect } from 'chai';
import { tmpdir } from 'node:os';
import { freeBytes, watchDisk } from './disk-space.ts';

describe('the disk of a data directory', () => {
  it('is told of when it becomes full, and when it has room again, once each', async () => {
    const clock = new FakeClock();
    const stop = new AbortController();
    const told: string[] = [];
    let free = 5e6;
    watchDisk('/data', (line) => told.push(line), { clock, signal: stop.signal, free: () => free });
    await clock.advance(10_000);
    expect(told).to.deep.equal([]);
    free = 0;
    await clock.advance(10_000);
    free = 5e6;
    await clock.advance(10_000);
    expect(told).to.deep.equal([
      'the disk of /data is full: nothing is stored until there is room',
      'the disk of /data has room again',
    ]);
    stop.abort();
    free = 0;
    await clock.advance(10_000);
    expect(told).to.have.length(2);
    expect(clock.timers).to.equal(0);
  });

  it('has room here', () => {
    expect(freeBytes(tmpdir())).to.be.greaterThan(0);
  });
});
