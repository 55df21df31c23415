import { expect } from 'chai';
import { runInThread } from './run-in-thread.ts';
import { findingText } from './run-target.ts';
import { fuzzTargets } from './targets.ts';
import { givenSeed } from './given-seed.ts';

const SHARE = 2_000;

describe('fuzzed', () => {
  // The same inputs in each run; `npm run fuzz` draws others.
  const seed = givenSeed();
  for (const { about, name, shareOfCI } of fuzzTargets) {
    it(`${name}: ${about}`, async function () {
      this.timeout(600_000);
      const bounds = { seed, from: 0, runs: shareOfCI ?? SHARE, milliseconds: Infinity };
      const { findings } = await runInThread(name, bounds);
      expect(findings.map(findingText).join('\n')).to.equal('');
    });
  }
});
