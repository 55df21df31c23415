import type { CelType } from '@kubechain/cel';
import { expect } from 'chai';
import { Composition } from './composition.ts';
import { compileAdmissionExpression, resultTypes } from './expression.ts';

const composition = new Composition();
composition.add('names', "['a']", { params: false, authorizer: true });
composition.add('broken', 'nosuch', { params: false, authorizer: true });
composition.add('when', "timestamp('2024-01-01T00:00:00Z')", { params: false, authorizer: true });
composition.add('amount', "quantity('1')", { params: false, authorizer: true });

describe('expressions about requests', () => {
  const rows: readonly (readonly [
    source: string,
    results: readonly CelType[] | undefined,
    problem: string | undefined,
  ])[] = [
    ['object.a == 1', resultTypes.bool, undefined],
    ['namespaceObject == null', resultTypes.bool, undefined],
    ['has(namespaceObject.metadata.labels)', resultTypes.bool, undefined],
    [
      'namespaceObject.metadata.uid',
      undefined,
      "compilation failed: ERROR: <input>:1:25: undefined field 'uid'\n | namespaceObject.metadata.uid\n | " +
        '........................^',
    ],
    [
      'request.object',
      undefined,
      "compilation failed: ERROR: <input>:1:8: undefined field 'object'\n | request.object\n | .......^",
    ],
    ['request.options.dryRun', resultTypes.bool, 'must evaluate to bool but got dyn'],
    ['request.userInfo.extra', resultTypes.text, 'must evaluate to string but got map(string, list(string))'],
    [
      'namespaceObject.metadata.creationTimestamp',
      resultTypes.textOrNull,
      'must evaluate to one of [string null_type] but got google.protobuf.Timestamp',
    ],
    ['null', resultTypes.textOrNull, undefined],
    [
      'params',
      undefined,
      "compilation failed: ERROR: <input>:1:1: undeclared reference to 'params' (in container '')\n | params\n | ^",
    ],
    ['variables.names', resultTypes.text, 'must evaluate to string but got list(string)'],
    ['variables.when', resultTypes.text, 'must evaluate to string but got google.protobuf.Timestamp'],
    ['variables.amount', resultTypes.text, 'must evaluate to string but got dyn'],
    ['variables.broken', resultTypes.text, 'must evaluate to string but got dyn'],
    [
      'variables.later',
      undefined,
      "compilation failed: ERROR: <input>:1:10: undefined field 'later'\n | variables.later\n | .........^",
    ],
  ];
  for (const [source, results, problem] of rows) {
    it(source, () => {
      expect(
        compileAdmissionExpression(source, { params: false, authorizer: true, results, composition }).problem?.text,
      ).to.equal(problem);
    });
  }

  it('may not know the authorizer', () => {
    const { problem } = compileAdmissionExpression("authorizer.path('/').check('get').allowed()", {
      params: false,
      authorizer: false,
      results: undefined,
      composition: undefined,
    });
    expect(problem?.text).to.contain("undeclared reference to 'authorizer'");
  });

  it('that fail whenever they are evaluated are internal errors', () => {
    expect(
      compileAdmissionExpression("int('x') == 1", {
        params: true,
        authorizer: true,
        results: resultTypes.bool,
        composition: undefined,
      }).problem,
    ).to.include({ kind: 'internal' });
  });
});
