import { expect } from 'chai';
import { Outcome, type Problem } from './outcome.ts';

const problem = (message: string): Problem => ({ kind: 'general', message });

describe('what is wrong with a value', () => {
  it('is told once, and again after it was forgotten', () => {
    const outcome = new Outcome();
    for (const message of ['a', 'b', 'a']) outcome.add(problem(message));
    expect(outcome.problems.map(({ message }) => message)).to.deep.equal(['a', 'b']);
    outcome.keep(1);
    for (const message of ['a', 'b']) outcome.add(problem(message));
    expect(outcome.problems.map(({ message }) => message)).to.deep.equal(['a', 'b']);
  });

  it('is found in proportion to how much there is', () => {
    const outcome = new Outcome();
    const started = process.cpuUsage();
    // Each with each would be five billion.
    for (let i = 0; i < 100_000; i++) outcome.add(problem(`spec.list[${i}] in body must be of type number: "string"`));
    const { system, user } = process.cpuUsage(started);
    expect(outcome.problems.length).to.equal(100_000);
    expect((system + user) / 1_000).to.be.lessThan(5_000);
  });
});
