import { FieldPath } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { compileConfigured, isFieldError, type ConfiguredExpression } from '../../expressions/configured-expression.ts';
import type { AuthorizationAttributes } from '../authorizer.ts';
import { matchConditions, requestSubject } from './match-conditions.ts';

const resource: AuthorizationAttributes = {
  user: { name: 'alice', uid: '7', groups: ['devs'], extra: { 'a.b/c': ['d'] } },
  verb: 'list',
  resourceRequest: true,
  path: '/api/v1/namespaces/x/pods',
  namespace: 'x',
  apiGroup: '',
  apiVersion: 'v1',
  resource: 'pods',
  subresource: '',
  name: '',
  fieldSelector: 'spec.nodeName=n',
};
const path: AuthorizationAttributes = { ...resource, resourceRequest: false, path: '/version', verb: 'get' };

function conditions(...sources: string[]): readonly ConfiguredExpression[] {
  return sources.map((source) => {
    const compiled = compileConfigured(source, requestSubject, FieldPath.of('x'));
    if (isFieldError(compiled)) throw new Error(compiled.toString());
    return compiled;
  });
}

describe('conditions of authorization webhooks', () => {
  const rows: readonly [string, AuthorizationAttributes, boolean][] = [
    ["request.user == 'alice' && request.uid == '7' && 'devs' in request.groups", resource, true],
    ["request.extra['a.b/c'] == ['d']", resource, true],
    ['has(request.resourceAttributes)', path, false],
    ["request.nonResourceAttributes.path == '/version'", path, true],
    ["request.resourceAttributes.subresource == '' && request.resourceAttributes.namespace == 'x'", resource, true],
    ['has(request.resourceAttributes.labelSelector)', resource, false],
    [
      "request.resourceAttributes.fieldSelector.requirements.exists(r, r.key == 'spec.nodeName' && r.values == ['n'])",
      resource,
      true,
    ],
    ["request.?nonResourceAttributes.?path.orValue('') == ''", resource, true],
  ];
  for (const [source, attributes, met] of rows)
    it(`${met ? 'are' : 'are not'} met: ${source}`, () => {
      expect(matchConditions(conditions(source), attributes)).to.deep.equal({ kind: met ? 'met' : 'unmet' });
    });
  it('say what kept them from being told', () => {
    const failing = "request.nonResourceAttributes.path == '/'";
    const outcome = matchConditions(conditions(failing, 'true'), resource);
    expect(outcome.kind === 'failed' && outcome.error.message).to.equal(
      `cel evaluation error: expression '${failing}' resulted in error: no such key: nonResourceAttributes`,
    );
  });
  it('that are not met decide beside those that fail', () => {
    expect(matchConditions(conditions("request.nonResourceAttributes.path == '/'", 'false'), resource)).to.deep.equal({
      kind: 'unmet',
    });
  });
});
