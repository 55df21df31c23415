import { expect } from 'chai';
import { JSONPath, printResult } from './json-path.ts';

const object = {
  metadata: { name: 'w', labels: { 'a/b': 'x', 'c.d': 'y' } },
  spec: { replicas: 3, list: [{ n: 1, name: 'one' }, { n: 2, name: 'two' }, { n: 3 }], nothing: null },
  status: {
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'Other', status: 'False' },
    ],
  },
};

describe('JSONPath', () => {
  const rows: readonly (readonly [path: string, value?: unknown])[] = [
    ['.spec.replicas', 3],
    ['.spec.missing'],
    ['.spec.replicas.deeper'],
    ['.spec.nothing', null],
    [".metadata.labels['a/b']", 'x'],
    ['.metadata.labels.c\\.d', 'y'],
    ['.spec.list[0].name', 'one'],
    ['.spec.list[-1].n', 3],
    ['.spec.list[7].n'],
    ['.spec.list[0:2].n', 1],
    ['.spec.list[::2].n', 1],
    ['.spec.list[*].name', 'one'],
    ['.spec.list.*.n', 1],
    ['.spec.list[0,2].n', 1],
    [".metadata.labels['a/b','c.d']", 'x'],
    ['.status.conditions[?(@.type=="Ready")].status', 'True'],
    ["$.status.conditions[?(@.type != 'Ready')].status", 'False'],
    ['.spec.list[?(@.n>=2)].n', 2],
    ['.spec.list[?(@.name)].n', 1],
    ['..status', object.status],
    ['..conditions..status', 'True'],
    ['..list[1:].name', 'two'],
    ['..list[5,1].n', 2],
    ["..list[?(@..name == 'two')].n", 2],
    ['..name..name'],
  ];
  for (const [path, value] of rows)
    it(path, () => {
      expect(JSONPath.parse(path).first(object)).to.deep.equal(value);
    });

  it('finds the first value without going every way to it', () => {
    let deep: unknown = { b: [1, 2, 3] };
    for (let depth = 0; depth < 400; depth++) deep = { a: { a: deep, b: [deep] } };
    for (const path of ['..a..a..a..a..a..none', '..b..b..b..b..none', '..b[?(@..b..b..none)]..a', '[?(@..a)]'])
      expect(JSONPath.parse(path).first(deep), path).to.equal(undefined);
    expect(JSONPath.parse('..a..a..b[0]..b[2]').first({ a: { a: { b: [{ b: [1, 2, 3] }] } } })).to.equal(3);
  });

  it('refuses what it cannot read', () => {
    for (const path of ['.a[', '.a[x]', '.a}']) expect(() => JSONPath.parse(path), path).to.throw();
  });

  it('prints results as string columns show them', () => {
    expect([1.5, true, 'x', null, { b: 1, a: ['<'] }].map(printResult)).to.deep.equal([
      '1.5',
      'true',
      'x',
      '<no value>',
      '{"a":["\\u003c"],"b":1}',
    ]);
  });
});
