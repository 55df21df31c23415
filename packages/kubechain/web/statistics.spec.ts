import { expect } from 'chai';
import type { LoadPoint } from './model.ts';
import { quantiles, ratesOf } from './statistics.ts';

const point = (latencies: readonly number[], ended: Readonly<Record<string, number>> = {}): LoadPoint =>
  ({ atMs: 0, load: { latencies, ended } }) as unknown as LoadPoint;

describe('figures over time', () => {
  it('are bounds that shares of the requests of all seconds were below', () => {
    const bounds = [1, 10, 100];
    expect(quantiles([point([50, 39, 9, 2])], bounds)).to.deep.equal([1, 100, 100]);
    expect(quantiles([point([98, 0, 0, 0]), point([0, 1, 1, 0])], bounds)).to.deep.equal([1, 1, 10]);
  });

  it('are nothing where nothing was asked', () => {
    expect(quantiles([], [1, 10])).to.deep.equal([0, 0, 0]);
    expect(quantiles([point([0, 0, 0])], [1, 10])).to.deep.equal([0, 0, 0]);
  });

  it('count requests of all verbs', () => {
    expect(ratesOf([point([], { get: 2, other: 1 }), point([])])).to.deep.equal([3, 0]);
  });
});
