import { expect } from 'chai';
import type { Job } from './job.ts';
import { sharedJobs, shareOf } from './share.ts';

describe('the share of a run', () => {
  const before = process.env['KUBECHAIN_CI_SHARE'];
  const given = (share: string | undefined): void => {
    if (share === undefined) delete process.env['KUBECHAIN_CI_SHARE'];
    else process.env['KUBECHAIN_CI_SHARE'] = share;
  };
  afterEach(() => given(before));

  it('takes all cases where no share is asked for', () => {
    for (const share of [undefined, '']) {
      given(share);
      expect(shareOf(['a', 'b', 'c'], 1)).to.deep.equal(['a', 'b', 'c']);
    }
  });

  it('takes one after the other, each list in its turn', () => {
    const taken = ['0', '1', '2', '3'].map((share) => {
      given(share);
      return [...shareOf(['a', 'b', 'c']), ...shareOf(['a', 'b', 'c'], 1)].join('');
    });
    expect(taken).to.deep.equal(['ab', 'bc', 'ca', 'ab']);
  });

  it('refuses what is no number', () => {
    for (const share of ['all', '-1', '1.5']) {
      given(share);
      expect(() => shareOf(['a']), share).to.throw(RangeError, share);
    }
  });

  it('has one job of each turn, and all that have none', () => {
    const job = (name: string, turn?: string): Job => ({
      name,
      command: ['true'],
      ...(turn === undefined ? {} : { turn }),
    });
    const jobs = [job('a'), job('b1', 'b'), job('c1', 'c'), job('b2', 'b'), job('d'), job('c2', 'c')];
    const taken = ['0', '1', undefined].map((share) => {
      given(share);
      return sharedJobs(jobs)
        .map(({ name }) => name)
        .join(' ');
    });
    expect(taken).to.deep.equal(['a b1 d c2', 'a c1 b2 d', 'a b1 c1 b2 d c2']);
  });
});
