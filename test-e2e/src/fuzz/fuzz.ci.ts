import { expect } from 'chai';
import { shareOf } from '../ci/share.ts';
import { runInThread } from './run-in-thread.ts';
import { findingText } from './run-target.ts';
import { fuzzTargets } from './targets.ts';
import { givenSeed } from './given-seed.ts';

const SHARE = 2_000;

describe('fuzzed', () => {
  // The same inputs in each run; `npm run fuzz` draws others.
  const seed = givenSeed();
  const halves = shareOf([0, 1]);
  for (const { about, name, shareOfCI = SHARE } of fuzzTargets) {
    it(`${name}: ${about}`, async function () {
      this.timeout(600_000);
      const half = Math.ceil(shareOfCI / 2);
      const from = half * (halves[0] ?? 0);
      const bounds = { seed, from, runs: half * halves.length, milliseconds: Infinity };
      const { findings } = await runInThread(name, bounds);
      expect(findings.map(findingText).join('\n')).to.equal('');
    });
  }
});
