import { expect } from 'chai';
import { parseQuery } from './query.ts';

const pod = {
  metadata: { name: 'web', annotations: { 'a.b/c': 'x' }, ownerReferences: [{ kind: 'Job' }, { kind: 'Node' }] },
  status: {
    phase: 'Running',
    count: 2,
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'Initialized', status: 'False' },
    ],
    containerStatuses: [{ state: { running: { startedAt: 'then' } } }, { state: { waiting: { reason: 'Pull' } } }],
  },
};

describe('queries of stages', () => {
  // As gojq answers.
  const rows: readonly (readonly [query: string, found: readonly unknown[]])[] = [
    ['.status.phase', ['Running']],
    ['.status.none', []],
    ['.status.none.more', []],
    ['.status.phase.more', []],
    ['.metadata.annotations["a.b/c"]', ['x']],
    ['.metadata.annotations."a.b/c"', ['x']],
    ['.metadata.ownerReferences.[].kind', ['Job', 'Node']],
    ['.metadata.ownerReferences[].kind', ['Job', 'Node']],
    ['.metadata.ownerReferences[-1].kind', ['Node']],
    ['.metadata.finalizers.[]', []],
    ['.status.containerStatuses.[].state.waiting.reason', ['Pull']],
    ['.status.conditions.[] | select( .type == "Ready" ) | .status', ['True']],
    ['.status.conditions | map(select(.status != "True")) | length', [1]],
    ['[.status.conditions[] | .type] | any(. == "Ready")', [true]],
    ['.status.none // .status.phase', ['Running']],
    ['.status.count >= 2 and (.status.phase | startswith("Run"))', [true]],
    ['.status | has("phase"), (.conditions | length)', [true, 2]],
    ['.metadata | keys | .[0]', ['annotations']],
    ['.status.phase.x?', []],
    ['.status.phase | not', [false]],
    ['null, 1, "a"', [1, 'a']],
  ];
  for (const [query, found] of rows) it(query, () => expect(parseQuery(query)(pod)).to.deep.equal(found));

  const refused: readonly (readonly [query: string, message: string])[] = [
    ['.a |', 'unexpected its end in the query .a |'],
    ['.a = 1', '"=" is not supported in the query .a = 1'],
    ['.a | test("x")', 'the function test/1 is not supported in the query .a | test("x")'],
    ['.["a"', 'unexpected its end in the query .["a"'],
    ['."a', 'unterminated string in ."a'],
    ['.a b', 'unexpected b in the query .a b'],
  ];
  for (const [query, message] of refused)
    it(`refuses ${query}`, () => expect(() => parseQuery(query)).to.throw(message));
});
