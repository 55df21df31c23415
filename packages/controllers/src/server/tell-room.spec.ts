import { FakeClock, settle } from '@kubechain/apimachinery/testing';
import { expect } from 'chai';
import { tellRoom } from './tell-room.ts';

describe('telling the server of room in the heap', () => {
  let clock: FakeClock;
  let full: boolean;
  let listener: ((full: boolean) => void) | undefined;
  let told: (string | undefined)[];
  let stop: AbortController;
  const becomes = async (value: boolean): Promise<void> => {
    full = value;
    listener?.(value);
    await settle();
  };

  beforeEach(() => {
    clock = new FakeClock();
    full = false;
    told = [];
    stop = new AbortController();
    tellRoom({
      gauge: {
        get full() {
          return full;
        },
        onChange: (callback) => {
          listener = callback;
          return () => (listener = undefined);
        },
      },
      clock,
      signal: stop.signal,
      client: {
        text: ({ headers }) => {
          told.push(headers?.['x-kubechain-heap']);
          return told.length === 2 ? Promise.reject(new Error('not there')) : Promise.resolve('{}');
        },
      },
    });
  });

  it('says so again and again, whatever becomes of it, and once that there is room', async () => {
    await becomes(true);
    expect(told).to.deep.equal(['full']);
    await clock.advance(10_000);
    await clock.advance(10_000);
    expect(told).to.deep.equal(['full', 'full', 'full']);
    await becomes(false);
    await clock.advance(60_000);
    expect(told).to.deep.equal(['full', 'full', 'full', 'room']);
    await becomes(true);
    expect(told.slice(4)).to.deep.equal(['full']);
  });

  it('says each change at once', async () => {
    for (const value of [true, false, true, false]) await becomes(value);
    expect(told).to.deep.equal(['full', 'room', 'full', 'room']);
  });

  it('says nothing more once it is stopped', async () => {
    await becomes(true);
    stop.abort();
    await clock.advance(60_000);
    await becomes(false);
    expect([told, listener]).to.deep.equal([['full'], undefined]);
  });
});
