import { expect } from 'chai';
import fc from 'fast-check';
import type { JSONObject } from '../object/json-object.ts';
import { compileFilter } from './field-filter.ts';
import {
  difference,
  equalSets,
  fieldSetOf,
  intersection,
  isSubset,
  pathsOf,
  recursiveDifference,
  union,
} from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import { fromFieldsV1, toFieldsV1 } from './fields-v1.ts';
import { keyElement, valueElement } from './path-element.ts';
import { texts } from './testing/sample-kind.ts';

describe('field sets', () => {
  const wire = {
    'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } },
    'f:spec': {
      'f:c': { 'k:{"name":"a"}': { '.': {}, 'f:image': {} }, 'k:{"name":"b"}': {} },
      'f:set': { 'v:"x"': {}, 'v:10': {}, 'v:9': {}, 'i:0': {} },
    },
  };
  it('keep the wire form, sorted', () => {
    expect(JSON.stringify(toFieldsV1(fromFieldsV1(wire)))).to.equal(
      JSON.stringify({
        ...wire,
        'f:spec': { 'f:c': wire['f:spec']['f:c'], 'f:set': { 'v:9': {}, 'v:10': {}, 'v:"x"': {}, 'i:0': {} } },
      }),
    );
  });

  it('read other spellings as the same, and drop unknown kinds', () => {
    expect(
      toFieldsV1(
        fromFieldsV1({
          'f:l': { 'k:{"b": 1, "a":"x"}': {}, 'k:{"a":"x","b":1}': { '.': {}, 'f:z': {} } },
          'x:future': {},
        }),
      ),
    ).to.deep.equal({ 'f:l': { 'k:{"a":"x","b":1}': { '.': {}, 'f:z': {} } } });
    expect(() => fromFieldsV1({ a: {} })).to.throw('key must be 2 characters long:');
    expect(() => fromFieldsV1({ abc: {} })).to.throw('missing colon: abc');
  });

  it('print paths as conflicts do', () => {
    expect(
      texts(fieldSetOf(['f:a', keyElement(['name', 'port'], ['x"', 80]), 'f:b'], ['f:s', valueElement('v')], ['f:z'])),
    ).to.deep.equal(['.z', '.a[name="x\\"",port=80].b', '.s[="v"]']);
  });

  const element = fc.oneof(
    fc.constantFrom('a', 'b', 'c').map((name) => `f:${name}`),
    fc.integer({ min: 0, max: 2 }).map((i) => `i:${i}`),
    fc.constantFrom<string | number>('x', 1).map(valueElement),
    fc.constantFrom<string | number>('n', '<', 2).map((v) => keyElement(['name'], [v])),
  );
  const set = fc
    .array(fc.array(element, { minLength: 1, maxLength: 3 }), { maxLength: 6 })
    .map((paths) => fieldSetOf(...paths));
  const asSet = (s: FieldSet): Set<string> => new Set([...pathsOf(s)].map((path) => path.join('|')));

  it('survive the wire', () => {
    fc.assert(
      fc.property(set, (s) => {
        const again = fromFieldsV1(JSON.parse(JSON.stringify(toFieldsV1(s))) as JSONObject);
        expect(equalSets(again, s)).to.equal(true);
        expect(asSet(again)).to.deep.equal(asSet(s));
      }),
    );
  });

  it('agree with plain sets of paths', () => {
    fc.assert(
      fc.property(set, set, (a, b) => {
        expect(isSubset(a, b)).to.equal(difference(a, b).size === 0);
        const [x, y] = [asSet(a), asSet(b)];
        expect(asSet(union(a, b))).to.deep.equal(new Set([...x, ...y].filter(Boolean)));
        expect([...asSet(intersection(a, b))].sort()).to.deep.equal([...x].filter((p) => y.has(p)).sort());
        expect([...asSet(difference(a, b))].sort()).to.deep.equal([...x].filter((p) => !y.has(p)).sort());
        expect([...asSet(recursiveDifference(a, b))].sort()).to.deep.equal(
          [...x].filter((p) => ![...y].some((q) => p === q || p.startsWith(`${q}|`))).sort(),
        );
      }),
    );
  });

  it('are filtered by reset fields', () => {
    const s = fromFieldsV1({
      'f:spec': {
        'f:containers': { 'k:{"name":"a"}': { '.': {}, 'f:image': {}, 'f:resources': { '.': {}, 'f:limits': {} } } },
      },
      'f:status': { 'f:phase': {} },
    });
    expect(texts(compileFilter({ without: [['status'], ['spec', 'containers']] })(s))).to.deep.equal([]);
    expect(texts(compileFilter({ without: [['spec']] })(s))).to.deep.equal(['.status.phase']);
  });
});
