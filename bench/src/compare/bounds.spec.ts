import { expect } from 'chai';
import { checkBounds } from './bounds.ts';
import type { Operation } from './operations.ts';
import type { Sample } from './round.ts';

const operation = { name: 'GET', mostUnits: 10 } as Operation;
const rounds = (...units: readonly number[]): Sample[] => units.map((of) => ({ units: of }) as Sample);

describe('bounds of requests', () => {
  const rows: readonly (readonly [what: string, first: Sample[], second: Sample[], missed: number, again: boolean])[] =
    [
      ['are held by the best round', rounds(30, 9.96, 12), [], 0, false],
      ['are held when a second measurement holds them', rounds(11, 12), rounds(20, 8), 0, true],
      ['are missed when neither does', rounds(11, 12), rounds(12, 10.5), 1, true],
    ];
  for (const [what, first, second, missed, again] of rows)
    it(what, async () => {
      let asked = false;
      const result = await checkBounds([{ operation, samples: first }], () => {
        asked = true;
        return Promise.resolve(second);
      });
      expect([result.missed, asked]).to.deep.equal([missed, again]);
      expect(result.lines[0]?.endsWith('MISSED')).to.equal(missed > 0);
    });
});
