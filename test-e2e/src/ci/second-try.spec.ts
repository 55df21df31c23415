import { expect } from 'chai';
import { SECOND_TRY, secondTriesIn } from './second-try.ts';
import { mochaHooks } from './second-tries.ts';

describe('tests that pass when they are tried again', () => {
  it('are found in what a job has printed', () => {
    expect(secondTriesIn(`  ✔ a\n${SECOND_TRY}suite a\n  ✔ b\n${SECOND_TRY}suite c\n`)).to.deep.equal([
      'suite a',
      'suite c',
    ]);
  });

  it('are told of, and no others', () => {
    const lines: unknown[] = [];
    const { log } = console;
    console.log = (line: unknown) => void lines.push(line);
    try {
      for (const [state, tries] of [
        ['passed', 0],
        ['passed', 1],
        ['failed', 1],
      ] as const)
        mochaHooks.afterEach.call({
          currentTest: { state, currentRetry: () => tries, fullTitle: () => `${state} ${tries}` },
        });
    } finally {
      console.log = log;
    }
    expect(lines).to.deep.equal([`${SECOND_TRY}passed 1`]);
  });
});
