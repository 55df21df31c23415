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
  const rows: readonly (readonly [path: string, ...values: unknown[]])[] = [
    ['.spec.replicas', 3],
    ['.spec.missing'],
    ['.spec.replicas.deeper'],
    ['.spec.nothing', null],
    [".metadata.labels['a/b']", 'x'],
    ['.metadata.labels.c\\.d', 'y'],
    ['.spec.list[0].name', 'one'],
    ['.spec.list[-1].n', 3],
    ['.spec.list[7].n'],
    ['.spec.list[0:2].n', 1, 2],
    ['.spec.list[::2].n', 1, 3],
    ['.spec.list[*].name', 'one', 'two'],
    ['.spec.list.*.n', 1, 2, 3],
    ['.spec.list[0,2].n', 1, 3],
    [".metadata.labels['a/b','c.d']", 'x', 'y'],
    ['.status.conditions[?(@.type=="Ready")].status', 'True'],
    ["$.status.conditions[?(@.type != 'Ready')].status", 'False'],
    ['.spec.list[?(@.n>=2)].n', 2, 3],
    ['.spec.list[?(@.name)].n', 1, 2],
    ['..status', object.status, 'True', 'False'],
  ];
  for (const [path, ...values] of rows)
    it(path, () => {
      expect(JSONPath.parse(path).find(object)).to.deep.equal(values);
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
