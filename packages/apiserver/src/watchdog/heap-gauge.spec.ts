import { limits } from '@kubechain/apimachinery';
import { FakeClock } from '@kubechain/apimachinery/testing';
import { expect } from 'chai';
import { configureLogging } from '../logging/logger.ts';
import { HeapGauge } from './heap-gauge.ts';

describe('the gauge of a heap (heapShare)', () => {
  const most = limits.heapShare.value;
  let clock: FakeClock;
  let used: number;
  let collections: number;
  let told: boolean[];
  let collected: (() => void) | undefined;
  let gauge: HeapGauge;

  beforeEach(() => {
    configureLogging({ verbosity: 0, write: () => undefined });
    clock = new FakeClock();
    used = 10;
    collections = 0;
    told = [];
    collected = undefined;
    gauge = new HeapGauge({
      clock,
      read: () => ({ used, limit: 100 }),
      collect: () => collections++,
      followCollections: (callback) => {
        collected = callback;
        return () => (collected = undefined);
      },
    });
    gauge.onChange((full) => told.push(full));
    gauge.start();
  });
  afterEach(() => {
    gauge.close();
    configureLogging({ verbosity: 0 });
  });

  const look = async (share: number): Promise<boolean> => {
    used = share;
    await clock.advance(1_000);
    return gauge.full;
  };
  const collect = (share: number): Promise<boolean> => {
    used = share;
    collected?.();
    return look(share);
  };

  it('is full when more is left behind a collection, whatever was garbage before', async () => {
    expect(await look(most + 10)).to.equal(false);
    expect(await collect(most - 1)).to.equal(false);
    expect(await collect(most + 1)).to.equal(true);
    expect(told).to.deep.equal([true]);
  });

  it('has room again a little below, and need not know of collections where much is free', async () => {
    await look(60);
    await collect(most + 1);
    expect(await collect(most - 1)).to.equal(true);
    expect(await collect(most - 6)).to.equal(false);
    expect(collected).to.not.equal(undefined);
    expect(await look(40)).to.equal(false);
    expect(collected).to.equal(undefined);
    expect(told).to.deep.equal([true, false]);
  });

  it('is full before a collection where there may be no time for one', async () => {
    expect(await look(95)).to.equal(true);
  });

  it('is collected when it is full and nothing else has it collected for a minute', async () => {
    await look(60);
    await collect(most + 1);
    for (let i = 0; i < 58; i++) await look(most + 2);
    expect(collections).to.equal(0);
    for (let i = 0; i < 60; i++) await look(most + 2);
    expect(collections).to.be.within(1, 2);
  });

  it('is full where one behind it is', async () => {
    gauge.tellBehind(true);
    expect(await look(10)).to.equal(true);
    gauge.tellBehind(false);
    expect(gauge.full).to.equal(false);
    expect(told).to.deep.equal([true, false]);
  });

  it('is full where a client of it says so, which has to say it again', async () => {
    gauge.tellClient(true);
    expect(await look(10)).to.equal(true);
    gauge.tellClient(false);
    expect(gauge.full).to.equal(false);
    gauge.tellClient(true);
    await clock.advance(20_000);
    gauge.tellClient(true);
    await clock.advance(20_000);
    expect(gauge.full).to.equal(true);
    await clock.advance(11_000);
    expect(gauge.full).to.equal(false);
    expect(told).to.deep.equal([true, false, true, false]);
  });

  it('tells nobody who has left', () => {
    const leaving: boolean[] = [];
    const leave = gauge.onChange((full) => leaving.push(full));
    gauge.tellBehind(true);
    leave();
    gauge.tellBehind(false);
    expect([leaving, told]).to.deep.equal([[true], [true, false]]);
  });

  it("is told of V8's own heap", async () => {
    const real = new HeapGauge({ clock, read: () => ({ used: 6, limit: 10 }) });
    real.start();
    await clock.advance(1_000);
    // Follows V8's collections now.
    expect(real.full).to.equal(false);
    real.close();
  });
});
