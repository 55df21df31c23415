import { expect } from 'chai';
import { countsOf } from './counts.ts';

describe('what CI reads in the output of a job', () => {
  it('counts the tests of mocha', () => {
    expect(countsOf({ counts: 'mocha' }, '  a\n    ✔ b\n\n\n  12 passing (3s)\n  1 failing\n')).to.deep.equal({
      passed: 12,
      failed: 1,
    });
    expect(
      countsOf(
        { counts: 'mocha' },
        '  12 passing (3s)\n\n> npm run test:e2e\n\n  a\n\n  7 passing (1m)\n  2 failing\n',
      ),
    ).to.deep.equal({ passed: 19, failed: 2 });
  });
  it('complains of tests that were skipped, and of suites without tests', () => {
    expect(countsOf({ counts: 'mocha' }, '  12 passing (3s)\n  2 pending\n').complaint).to.equal(
      '2 tests were skipped',
    );
    expect(countsOf({ counts: 'mocha' }, '  0 passing (1ms)\n').complaint).to.equal('no test ran');
    expect(countsOf({ counts: 'mocha' }, '').complaint).to.equal('no test ran');
  });
  it('complains of runs that were not come to', () => {
    const one = '  12 passing (3s)\n  1 failing\n';
    expect(countsOf({ counts: 'mocha', runs: 2 }, one).complaint).to.equal('1 of 2 runs ended');
    expect(countsOf({ counts: 'mocha', runs: 2 }, `${one}  3 passing (1s)\n`)).to.deep.equal({ passed: 15, failed: 1 });
  });
  it('counts transcripts', () => {
    expect(
      countsOf({ counts: 'transcripts' }, 'of 31 transcripts 30 pass whole; 31 must\n30 passed, 1 failed\n'),
    ).to.deep.equal({ passed: 30, failed: 1 });
    expect(countsOf({ counts: 'transcripts' }, 'transcripts: unknown area\n').complaint).to.equal(
      'no transcript was replayed',
    );
  });
});
