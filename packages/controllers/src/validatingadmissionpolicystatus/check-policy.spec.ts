import { expect } from 'chai';
import type { ValidatingAdmissionPolicy } from '@kubechain/apimachinery/types/admissionregistration/v1';
import type { DiscoveredResource } from '../discovery/discovery.ts';
import { checkPolicy } from './check-policy.ts';
import { kindsToCheck } from './kinds-to-check.ts';
import { SchemaTypes, type OpenAPISchema } from './schema-type.ts';

const schemas: Readonly<Record<string, OpenAPISchema>> = {
  Widget: {
    type: 'object',
    properties: {
      metadata: { allOf: [{ $ref: '#/components/schemas/Meta' }] },
      spec: {
        type: 'object',
        properties: {
          size: { type: 'integer', format: 'int32' },
          port: { 'x-kubernetes-int-or-string': true },
          names: { type: 'array', items: { type: 'string' } },
          inner: { $ref: '#/components/schemas/Widget' },
          'a-b': { type: 'boolean' },
        },
      },
    },
  },
  Meta: {
    type: 'object',
    properties: { name: { type: 'string' }, labels: { type: 'object', additionalProperties: { type: 'string' } } },
  },
};
const gvk = { group: 'example.com', version: 'v1', kind: 'Widget' };
const type = new SchemaTypes(schemas).typeOf('Widget', 'Widget')!;
const warningsOf = (expression: string, more: object = {}): readonly (string | undefined)[] =>
  checkPolicy({ spec: { validations: [{ expression }], ...more } } as unknown as ValidatingAdmissionPolicy, {
    objects: [{ gvk, type }],
    params: undefined,
  }).map(({ fieldRef, warning }) => `${fieldRef}: ${warning}`);

describe('types of expressions in policies', () => {
  for (const good of [
    'object.spec.size > 1',
    'oldObject == null || object.spec.size >= oldObject.spec.size',
    'object.spec.port == "http" || object.spec.port == 80',
    'object.spec.names.all(n, n.startsWith("a"))',
    'object.metadata.labels["x"] == "y"',
    'object.spec.a__dash__b',
    'authorizer.group("").resource("pods").check("get").allowed()',
    'request.userInfo.username != namespaceObject.metadata.name',
  ])
    it(`finds nothing wrong with ${good}`, () => expect(warningsOf(good)).to.deep.equal([]));
  it('finds fields that are not there, and operators that do not fit', () => {
    expect(warningsOf('object.spec.colour == "red"')).to.deep.equal([
      "spec.validations[0].expression: example.com/v1, Kind=Widget: ERROR: <input>:1:12: undefined field 'colour'\n" +
        ' | object.spec.colour == "red"\n' +
        ' | ...........^\n',
    ]);
    expect(warningsOf('object.spec.size == "1"')[0]).to.include(
      "found no matching overload for '_==_' applied to '(int, string)'",
    );
  });
  it('knows types of variables', () => {
    const variables = [{ name: 'size', expression: 'object.spec.size' }];
    expect(warningsOf('variables.size > 3', { variables })).to.deep.equal([]);
    expect(warningsOf('variables.size > "3"', { variables })).to.have.length(1);
  });
  it('takes parameters of an unknown kind for anything', () => {
    expect(warningsOf('params.x.y == 1', { paramKind: { apiVersion: 'v1', kind: 'X' } })).to.deep.equal([]);
    expect(warningsOf('params.x.y == 1')[0]).to.include("undeclared reference to 'params'");
  });
  it('are checked for kinds that rules name, in order', () => {
    const served = ['pods', 'configmaps'].map(
      (resource) =>
        ({ group: '', version: 'v1', resource, kind: resource === 'pods' ? 'Pod' : 'ConfigMap' }) as DiscoveredResource,
    );
    const rules = (...resourceRules: readonly object[]): readonly string[] =>
      kindsToCheck(
        { spec: { matchConstraints: { resourceRules } } } as unknown as ValidatingAdmissionPolicy,
        served,
      ).map(({ kind }) => kind);
    const core = { apiGroups: [''], apiVersions: ['v1'] };
    expect(rules({ ...core, resources: ['pods', 'configmaps', 'pods/exec', 'unknown'] })).to.deep.equal([
      'ConfigMap',
      'Pod',
    ]);
    expect(rules({ ...core, apiVersions: ['*'], resources: ['pods'] }, { ...core, resources: ['*'] })).to.deep.equal(
      [],
    );
  });
});
