import { expect } from 'chai';
import { KeptAnswers } from './kept-answers.ts';

describe('KeptAnswers', () => {
  const clock = { nowMs: 0 };
  const kept = (limit = 10): KeptAnswers<string> => new KeptAnswers({ limit, clock: { now: () => clock.nowMs } });

  it('believes an answer for as long as it is told to', () => {
    const answers = kept();
    answers.keep('a', 'yes', 1_000);
    clock.nowMs += 999;
    expect(answers.get('a')).to.equal('yes');
    clock.nowMs += 1;
    expect(answers.get('a')).to.equal(undefined);
  });
  it('does not keep what is not to be believed', () => {
    const answers = kept();
    answers.keep('a', 'yes', 0);
    expect(answers.get('a')).to.equal(undefined);
  });
  it('lets the oldest go', () => {
    const answers = kept(2);
    for (const key of ['a', 'b', 'c']) answers.keep(key, key, 1_000);
    expect(['a', 'b', 'c'].map((key) => answers.get(key))).to.deep.equal([undefined, 'b', 'c']);
  });
  it('forgets what it is told to forget', () => {
    const answers = kept();
    answers.keep('a', 'yes', 1_000);
    answers.delete('a');
    expect(answers.get('a')).to.equal(undefined);
  });
});
