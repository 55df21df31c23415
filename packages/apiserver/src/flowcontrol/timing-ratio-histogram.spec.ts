import { expect } from 'chai';
import { DemandIntegrator } from './demand-integrator.ts';
import { TimingRatioHistogram } from './timing-ratio-histogram.ts';
import { Watermark } from './watermark.ts';

describe('TimingRatioHistogram', () => {
  it('counts the nanoseconds that a ratio spends in each bucket', () => {
    const histogram = new TimingRatioHistogram([0, 0.5, 1], { nowMs: 0, denominator: 4 });
    histogram.add(1, 10);
    histogram.set(4, 30);
    histogram.setDenominator(2, 60);
    const samples = [...histogram.samples('x', { a: 'b' }, 100)];
    expect(samples.map(({ name, value, labels }) => [name, labels['le'], value])).to.deep.equal([
      ['x_bucket', '0', 10e6],
      ['x_bucket', '0.5', 30e6],
      ['x_bucket', '1', 60e6],
      ['x_bucket', '+Inf', 100e6],
      ['x_sum', undefined, 20e6 * 0.25 + 30e6 * 1 + 40e6 * 2],
      ['x_count', undefined, 100e6],
    ]);
  });
});

describe('DemandIntegrator', () => {
  it('weighs values by time, and begins anew', () => {
    const integrator = new DemandIntegrator(0);
    integrator.set(4, 10);
    integrator.set(0, 20);
    expect(integrator.reset(20)).to.deep.equal({ durationMs: 20, average: 2, deviation: 2, max: 4 });
    integrator.set(1, 25);
    expect(integrator.reset(30)).to.deep.include({ durationMs: 10, average: 0.5, max: 1 });
    expect(Number.isNaN(integrator.reset(30).average)).to.equal(true);
  });
});

describe('Watermark', () => {
  it('shows the most of the last second', () => {
    const mark = new Watermark(0);
    mark.set(3, 100);
    mark.set(1, 200);
    expect([mark.read(500), mark.read(1_000), mark.read(1_500), mark.read(2_100), mark.read(9_000)]).to.deep.equal([
      0, 3, 3, 1, 1,
    ]);
  });
});
