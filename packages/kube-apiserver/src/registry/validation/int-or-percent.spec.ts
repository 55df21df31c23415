import { expect } from 'chai';
import { FieldPath } from '@kubechain/apimachinery';
import { intOrPercentValue, notMoreThan100Percent } from './int-or-percent.ts';

describe('a number or per cent', () => {
  const values: readonly (readonly [value: number | string, is: number])[] = [
    [3, 3],
    ['25%', 25],
    ['-1', -1],
    ['+7', 7],
    ['0', 0],
    ['x', 0],
    ['', 0],
    ['1.5', 0],
  ];
  for (const [value, is] of values)
    it(`is ${is} as ${JSON.stringify(value)}`, () => {
      expect(intOrPercentValue(value)).to.equal(is);
    });

  it('is more than all only as per cent', () => {
    const path = FieldPath.of('x');
    expect(['500', '100%', '101%'].map((value) => notMoreThan100Percent(value, path).length)).to.deep.equal([0, 0, 1]);
  });
});
