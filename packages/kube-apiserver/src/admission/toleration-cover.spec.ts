import type { Toleration } from '@kubechain/apimachinery/types/core/v1';
import { expect } from 'chai';
import fc from 'fast-check';
import { mergeTolerations } from './merge-tolerations.ts';
import { TolerationCover } from './toleration-cover.ts';

const isCovered = (wide: Toleration, narrow: Toleration): boolean => new TolerationCover([wide]).covers(narrow);

describe('what a toleration covers', () => {
  const forever: Toleration = { key: 'k', operator: 'Exists', effect: 'NoExecute' };
  const rows: readonly (readonly [title: string, wide: Toleration, narrow: Toleration, covered: boolean])[] = [
    ['itself, without an operator', { key: 'k', value: 'v' }, { key: 'k', value: 'v' }, true],
    [
      'itself, with an operator that covers nothing',
      { operator: 'Lt', value: '1' },
      { operator: 'Lt', value: '1' },
      true,
    ],
    ['nothing of another key', { key: 'a', operator: 'Exists' }, { key: 'b', operator: 'Exists' }, false],
    ['every key, where it has none', { operator: 'Exists' }, { key: 'b', operator: 'Equal', value: 'v' }, true],
    ['no key but none, where it looks at values', { operator: 'Equal' }, { key: 'b', operator: 'Equal' }, false],
    ['every effect, where it has none', { key: 'k', operator: 'Exists' }, forever, true],
    ['no other effect', { ...forever, effect: 'NoSchedule' }, forever, false],
    ['its value', { key: 'k', value: 'v' }, { key: 'k', operator: 'Equal', value: 'v' }, true],
    ['no other value', { key: 'k', value: 'v' }, { key: 'k', operator: 'Equal', value: 'w' }, false],
    ['none whose operator is not named', { key: 'k', operator: 'Equal', value: 'v' }, { key: 'k', value: 'v' }, false],
    ['what exists, not the other way round', { key: 'k', operator: 'Equal' }, { key: 'k', operator: 'Exists' }, false],
    ['what ends as early', { ...forever, tolerationSeconds: 5 }, { ...forever, tolerationSeconds: 5 }, true],
    ['nothing that ends later', { ...forever, tolerationSeconds: 5 }, { ...forever, tolerationSeconds: 6 }, false],
    ['nothing that never ends', { ...forever, tolerationSeconds: 5 }, forever, false],
    ['what ends, where it does not', forever, { ...forever, tolerationSeconds: 5 }, true],
  ];
  for (const [title, wide, narrow, covered] of rows)
    it(`is ${title}`, () => {
      expect(isCovered(wide, narrow)).to.equal(covered);
    });
});

describe('merged tolerations', () => {
  const toleration = fc.record(
    {
      key: fc.constantFrom('a', 'b', ''),
      operator: fc.constantFrom('Equal' as const, 'Exists' as const, 'Lt' as const),
      value: fc.constantFrom('v', 'w'),
      effect: fc.constantFrom('NoExecute' as const, 'NoSchedule' as const),
      tolerationSeconds: fc.constantFrom(1, 2, 3),
    },
    { requiredKeys: [] },
  );
  const normal = ({ effect, key = '', operator, tolerationSeconds, value = '' }: Toleration): string =>
    JSON.stringify([effect, key, operator, tolerationSeconds, value]);

  it('are those that none before them covers, and none behind them that is not equal', () => {
    fc.assert(
      fc.property(fc.array(toleration, { maxLength: 8 }), fc.array(toleration, { maxLength: 4 }), (first, second) => {
        const all: Toleration[] = [...first, ...second];
        const expected: Toleration[] = [];
        for (const [i, one] of all.entries()) {
          const behind = all.slice(i + 1).filter((other) => normal(other) !== normal(one));
          if (![...expected, ...behind].some((other) => isCovered(other, one))) expected.push(one);
        }
        expect(mergeTolerations(first, second)).to.deep.equal(expected);
      }),
      { seed: 11, numRuns: 500 },
    );
  });

  it('are as many as a pod can have', () => {
    const many = Array.from({ length: 100_000 }, (_, i): Toleration => ({ key: `k${i}`, operator: 'Exists' }));
    expect(mergeTolerations(many, many)).to.have.length(many.length);
  }).timeout(60_000);
});
