import { expect } from 'chai';
import fc from 'fast-check';
import { diffJSON, pretty } from './diff.ts';

const shown = (before: unknown, after: unknown): string[] =>
  diffJSON(JSON.stringify(before), JSON.stringify(after)).map(
    ({ kind, text }) => `${{ same: ' ', added: '+', removed: '-', 'left out': '…' }[kind]} ${text}`,
  );

describe('differences of JSON', () => {
  it('show what changed, with its surroundings', () => {
    const object = { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8, i: 9 };
    expect(shown(object, { ...object, e: 50, x: 'new' })).to.deep.equal([
      '… 2 lines',
      '    "b": 2,',
      '    "c": 3,',
      '    "d": 4,',
      '-   "e": 5,',
      '+   "e": 50,',
      '    "f": 6,',
      '    "g": 7,',
      '    "h": 8,',
      '-   "i": 9',
      '+   "i": 9,',
      '+   "x": "new"',
      '  }',
    ]);
  });

  it('are none between what is the same, and everything against nothing', () => {
    expect(shown({ a: 1 }, { a: 1 })).to.deep.equal([]);
    expect(diffJSON('', '{"a":1}').map(({ kind }) => kind)).to.deep.equal(['added', 'added', 'added']);
    expect(diffJSON('{"a":1}', '').map(({ kind }) => kind)).to.deep.equal(['removed', 'removed', 'removed']);
  });

  it('take a text that is no JSON as it is', () => {
    expect(diffJSON('k8s\u0000', 'k8s').map(({ kind }) => kind)).to.deep.equal(['removed', 'added']);
  });

  it('lead from one text to the other', () => {
    const value = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 });
    fc.assert(
      fc.property(value, value, (before, after) => {
        const lines = diffJSON(JSON.stringify(before), JSON.stringify(after));
        const side = (other: string): string[] =>
          lines.filter(({ kind }) => kind !== other && kind !== 'left out').map(({ text }) => text);
        const holds = (whole: string, part: readonly string[]): void => {
          // What is left out is what both have: the lines that are shown stand in the text in their order.
          let at = 0;
          for (const line of pretty(whole).split('\n')) if (line === part[at]) at++;
          expect(at).to.equal(part.length);
        };
        holds(JSON.stringify(before), side('added'));
        holds(JSON.stringify(after), side('removed'));
      }),
    );
  });
});
