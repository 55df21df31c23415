import { expect } from 'chai';
import { trimEndOf, trimOf } from './trim.ts';

describe('trimming', () => {
  it('takes one character from the ends', () => {
    expect(trimEndOf('a/b//', '/')).to.equal('a/b');
    expect(trimEndOf('///', '/')).to.equal('');
    expect(trimOf('//a/b//', '/')).to.equal('a/b');
    expect(trimOf('', '/')).to.equal('');
  });

  it('takes no longer for a text of runs than for any other', () => {
    const start = process.cpuUsage();
    trimEndOf(`${'0'.repeat(1_000_000)}1`, '0');
    expect(process.cpuUsage(start).user).to.be.below(500_000);
  });
});
