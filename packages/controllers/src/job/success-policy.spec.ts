import type { SuccessPolicyRule } from '@kubechain/apimachinery/types/batch/v1';
import { expect } from 'chai';
import { parseIntervals } from './index-intervals.ts';
import { successMessage } from './success-policy.ts';

describe('a success policy', () => {
  const cases: readonly (readonly [succeeded: string, rules: SuccessPolicyRule[], index: number | undefined])[] = [
    ['', [{ succeededCount: 0 }], undefined],
    ['0', [{ succeededCount: 2 }], undefined],
    ['0,4', [{ succeededCount: 2 }], 0],
    ['0-2', [{ succeededIndexes: '1,2' }], 0],
    ['0,1', [{ succeededIndexes: '1,2' }], undefined],
    ['0,1', [{ succeededIndexes: '1,2', succeededCount: 1 }], 0],
    ['3', [{ succeededIndexes: '1,2', succeededCount: 1 }], undefined],
    ['3', [{ succeededIndexes: '20' }, { succeededIndexes: '3' }], 1],
  ];
  for (const [succeeded, rules, index] of cases)
    it(`is ${index === undefined ? 'not ' : ''}met by "${succeeded}" with ${JSON.stringify(rules)}`, () =>
      expect(successMessage({ rules }, parseIntervals(succeeded, 10), 10)).to.equal(
        index === undefined ? undefined : `Matched rules at index ${index}`,
      ));
});
