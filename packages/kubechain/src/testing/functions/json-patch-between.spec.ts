import { applyJSONPatch, decodeJSONPatch, type JSONValue } from '@kubechain/apimachinery';
import { expect } from 'chai';
import fc from 'fast-check';
import { jsonPatchBetween } from './json-patch-between.ts';

describe('jsonPatchBetween', () => {
  const rows: readonly (readonly [name: string, before: unknown, after: unknown, patch: unknown])[] = [
    ['nothing', { a: [1] }, { a: [1] }, []],
    ['a member that came', { a: {} }, { a: { 'b/c~': 1 } }, [{ op: 'add', path: '/a/b~1c~0', value: 1 }]],
    ['a member that went', { a: 1, b: 2 }, { a: 1, b: undefined }, [{ op: 'remove', path: '/b' }]],
    ['a member within a list', { a: [{ b: 1 }] }, { a: [{ b: 2 }] }, [{ op: 'replace', path: '/a/0/b', value: 2 }]],
    ['elements that were appended', { a: [1] }, { a: [1, 2] }, [{ op: 'add', path: '/a/-', value: 2 }]],
    ['a list that is shorter', { a: [1, 2] }, { a: [2] }, [{ op: 'replace', path: '/a', value: [2] }]],
    ['another type', { a: [1] }, { a: { b: 1 } }, [{ op: 'replace', path: '/a', value: { b: 1 } }]],
  ];
  for (const [name, before, after, patch] of rows)
    it(`tells ${name}`, () => {
      expect(jsonPatchBetween(before, after)).to.deep.equal(patch);
    });

  it('makes the one of the other when it is applied', () => {
    const value = fc.object({
      key: fc.constantFrom('a', 'b', 'c/d', '~'),
      maxDepth: 3,
      values: [fc.integer(), fc.constant(null)],
    });
    fc.assert(
      fc.property(value, value, (before, after) => {
        const patch = decodeJSONPatch(JSON.parse(JSON.stringify(jsonPatchBetween(before, after))) as JSONValue);
        expect(applyJSONPatch(before as JSONValue, patch)).to.deep.equal(after);
      }),
    );
  });
});
