import { expect } from 'chai';
import { LoadMeter } from './load-meter.ts';

describe('LoadMeter', () => {
  const caches = { objects: 3, events: 7, capacity: 100 };
  const delegate = { name: 'apiextensions', way: 'link', underWay: 2 } as const;
  let meter: LoadMeter;
  beforeEach(() => {
    meter = new LoadMeter({ caches: () => caches, delegate: { describe: () => delegate } });
    meter.start();
  });
  afterEach(() => meter.stop());

  it('tells how many requests have ended since it was last asked, by verb', () => {
    meter.ended('get', { code: 200, durationMs: 1, told: true });
    meter.ended('get', { code: 404, durationMs: 1, told: false });
    meter.ended('create', { code: 500, durationMs: 1, told: false });
    const { broken, ended, failed, untold } = meter.take();
    expect({ broken, ended, failed, untold }).to.deep.equal({
      broken: 1,
      ended: { get: 2, create: 1 },
      failed: 2,
      untold: 2,
    });
    expect(meter.take().ended).to.deep.equal({});
  });

  it('counts times of short requests alone', () => {
    meter.ended('list', { code: 200, durationMs: 0.25, told: true });
    meter.ended('watch', { code: 200, durationMs: undefined, told: true });
    const { latencies } = meter.take();
    expect(latencies.reduce((sum, count) => sum + count)).to.equal(1);
  });

  it('tells what the watch caches hold', () => {
    expect(meter.take().caches).to.deep.equal(caches);
  });

  it('tells how the next process is reached, where there is one', () => {
    expect(meter.take().delegate).to.deep.equal(delegate);
    const last = new LoadMeter({ caches: () => caches });
    last.start();
    expect(last.take()).to.not.have.property('delegate');
    last.stop();
  });
});
