import { FakeClock } from '@kubechain/apimachinery/testing';
import { expect } from 'chai';
import { ObjectStats } from './object-stats.ts';

describe('ObjectStats', () => {
  it('knows what was read last, for three minutes', async () => {
    const clock = new FakeClock(0);
    let answer: () => Promise<ReadonlyMap<string, { readonly objects: number; readonly bytes: number }>> = () =>
      Promise.resolve(
        new Map([
          ['pods', { objects: 1, bytes: 2 }],
          ['deployments.apps', { objects: 3, bytes: 4 }],
        ]),
      );
    const stats = new ObjectStats({ read: () => answer(), clock });
    expect(stats.of('', 'pods')).to.equal(undefined);
    expect(await stats.read()).to.equal(true);
    expect([
      stats.of('', 'pods')?.valueOf(),
      stats.of('apps', 'deployments')?.valueOf(),
      stats.of('apps', 'pods'),
    ]).to.deep.equal([{ objects: 1, bytes: 2 }, { objects: 3, bytes: 4 }, undefined]);
    answer = () => Promise.reject(new TypeError('nobody answers'));
    await clock.advance(180_000);
    expect([await stats.read(), stats.of('', 'pods')]).to.deep.equal([false, { objects: 1, bytes: 2 }]);
    await clock.advance(1);
    expect(stats.of('', 'pods')).to.equal('stale');
  });
});
