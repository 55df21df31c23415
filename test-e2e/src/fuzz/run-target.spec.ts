import { expect } from 'chai';
import { FuzzFailure, type FuzzTarget } from './fuzz-target.ts';
import { findingText, runTarget } from './run-target.ts';
import { fuzzTargets } from './targets.ts';

const planted: FuzzTarget = {
  name: 'planted',
  about: 'no byte is 7',
  open: () => ({
    attempt: (random, input) => {
      const bytes = random.bytes(20);
      input(bytes);
      if (bytes.includes(7)) throw new FuzzFailure('a seven');
    },
  }),
};
const unbounded = { runs: Infinity, milliseconds: Infinity, from: 0, seed: 42 };

describe('a fuzzed target', () => {
  it('ends after a few findings, each of which is played again by its number', async () => {
    const { findings } = await runTarget(planted, unbounded, { now: () => 0 });
    expect(findings).to.have.lengthOf(5);
    for (const finding of findings) {
      const again = await runTarget(planted, { ...unbounded, from: finding.attempt, runs: 1 }, { now: () => 0 });
      expect(again.attempts).to.equal(1);
      expect(again.findings.map(({ input }) => input)).to.deep.equal([finding.input]);
      expect(findingText(finding)).to.include(`--seed 42 --from ${finding.attempt} --runs 1`);
    }
  });

  it('ends at its bounds', async () => {
    const fine: FuzzTarget = { ...planted, open: () => ({ attempt: () => undefined }) };
    expect((await runTarget(fine, { ...unbounded, runs: 7 }, { now: () => 0 })).attempts).to.equal(7);
    let time = 0;
    expect((await runTarget(fine, { ...unbounded, milliseconds: 10 }, { now: () => time++ })).attempts).to.equal(9);
  });

  it('tells what was found before it could not be closed', async () => {
    const close = (): Promise<void> => Promise.reject(new FuzzFailure('a process ended'));
    const broken: FuzzTarget = {
      ...planted,
      open: () => ({
        attempt: () => {
          throw new FuzzFailure('a seven');
        },
        close,
      }),
    };
    const { attempts, findings } = await runTarget(broken, { ...unbounded, runs: 2 }, { now: () => 0 });
    expect(attempts).to.equal(2);
    expect(findings.map(({ reason }) => reason.split('\n')[0])).to.deep.equal([
      'FuzzFailure: a seven',
      'FuzzFailure: a seven',
      'FuzzFailure: a process ended',
    ]);
  });

  it('has a name of its own', () => {
    const names = fuzzTargets.map(({ name }) => name);
    expect(new Set(names).size).to.equal(names.length);
  });
});
