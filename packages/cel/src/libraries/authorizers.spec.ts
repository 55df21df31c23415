import { expect } from 'chai';
import type { RightsAuthorizer, RightsQuestion } from './authorizer-port.ts';
import { compileExpression, isCompileFailure } from '../compile.ts';
import { parseType } from '../types/types.ts';
import { CelError } from '../values/values.ts';
import { RequestAuthorizer, ResourceCheck } from './authorizers.ts';
import { baseFunctions } from './libraries.ts';

let asked: RightsQuestion | undefined;
const authorizer: RightsAuthorizer = {
  authorize(attributes) {
    asked = attributes;
    return attributes.verb === 'get' ? { decision: 'Allow', reason: 'may get' } : { decision: 'NoOpinion', reason: '' };
  },
};
const variables = new Map([
  ['authorizer', parseType('kubernetes.authorization.Authorizer')],
  ['authorizer.requestResource', parseType('kubernetes.authorization.ResourceCheck')],
]);

function evaluated(source: string): { readonly result: unknown; readonly cost: number } {
  asked = undefined;
  const program = compileExpression(source, { variables, functions: baseFunctions });
  if (isCompileFailure(program)) return { result: program.text, cost: 0 };
  const of = new RequestAuthorizer({ authorizer, user: { name: 'u', groups: [] } });
  const { cost, result } = program.run(
    [of, new ResourceCheck({ of, group: 'apps', resource: 'deployments', namespace: 'ns' })],
    10_000_000,
  );
  return { result: result instanceof CelError ? result.message : result, cost };
}

describe('questions to the authorizer', () => {
  const rows: readonly (readonly [source: string, result: unknown, cost: number])[] = [
    ["authorizer.path('/healthz').check('get').allowed()", true, 350_003],
    ["authorizer.path('/healthz').check('get').reason()", 'may get', 350_003],
    ["authorizer.path('  ').check('get').allowed()", 'path must not be empty', 350_003],
    [
      "authorizer.group('').resource('pods').namespace('default').name('a').subresource('log').check('list').allowed()",
      false,
      350_007,
    ],
    ["authorizer.group('').resource('').check('get').allowed()", 'resource must not be empty', 350_004],
    ["authorizer.group('').resource('pods').check('get').errored()", false, 350_004],
    ["authorizer.group('').resource('pods').check('get').error()", '', 350_004],
    [
      "authorizer.group('').resource('pods').fieldSelector('a=b').labelSelector('c').check('list').allowed()",
      false,
      350_176,
    ],
    ["authorizer.requestResource.check('get').allowed()", true, 350_002],
    ["authorizer.serviceAccount('ns', 'sa').path('/').check('get').allowed()", true, 350_004],
    [
      "authorizer.serviceAccount('Not OK', 'sa').path('/').check('get').allowed()",
      'Invalid service account namespace',
      350_004,
    ],
    [
      "authorizer.serviceAccount('ns', 'Not OK').path('/').check('get').allowed()",
      'Invalid service account name',
      350_004,
    ],
    ["authorizer == authorizer.serviceAccount('a', 'b')", false, 4],
  ];
  for (const [source, result, cost] of rows)
    it(source, () => {
      expect(evaluated(source)).to.deep.equal({ result, cost });
    });

  it('name everything that was put together', () => {
    evaluated(
      "authorizer.serviceAccount('ns', 'sa').group('g').resource('r').subresource('s').namespace('n')" +
        ".name('o').fieldSelector('f').labelSelector('l').check('v').allowed()",
    );
    expect(asked).to.deep.equal({
      user: { name: 'system:serviceaccount:ns:sa', groups: ['system:serviceaccounts', 'system:serviceaccounts:ns'] },
      verb: 'v',
      resourceRequest: true,
      path: '',
      namespace: 'n',
      apiGroup: 'g',
      apiVersion: '*',
      resource: 'r',
      subresource: 's',
      name: 'o',
      fieldSelector: 'f',
      labelSelector: 'l',
    });
  });

  it('say when there is no answer at once', () => {
    const slow = new RequestAuthorizer({
      authorizer: { authorize: () => Promise.resolve({ decision: 'Allow', reason: '' }) },
      user: { name: 'u', groups: [] },
    });
    const program = compileExpression("authorizer.path('/').check('get').errored()", {
      variables,
      functions: baseFunctions,
    });
    expect(isCompileFailure(program) ? program.text : program.run([slow, undefined], 1_000_000).result).to.equal(true);
  });
});
