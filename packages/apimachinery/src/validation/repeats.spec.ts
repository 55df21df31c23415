import { expect } from 'chai';
import { repeats } from './repeats.ts';

describe('repeats', () => {
  it('tells each value but the first of equal ones', () => {
    expect(repeats(['a', 'b', 'a', '', 'a', ''])).to.deep.equal([false, false, true, false, true, true]);
  });
  it('takes values as Go compares them: numbers and texts are different', () => {
    expect(repeats([1, '1', 1])).to.deep.equal([false, false, true]);
  });
  it('finds nothing in a list without values', () => {
    expect(repeats([])).to.deep.equal([]);
  });
});
