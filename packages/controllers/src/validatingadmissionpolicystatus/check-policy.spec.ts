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
const warningsOf = async (expression: string, more: object = {}): Promise<readonly (string | undefined)[]> => {
  const policy = { spec: { validations: [{ expression }], ...more } } as unknown as ValidatingAdmissionPolicy;
  const warnings = await checkPolicy(policy, { objects: [{ gvk, type }], params: undefined });
  return warnings.map(({ fieldRef, warning }) => `${fieldRef}: ${warning}`);
};

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
    it(`finds nothing wrong with ${good}`, async () => expect(await warningsOf(good)).to.deep.equal([]));
  it('finds fields that are not there, and operators that do not fit', async () => {
    expect(await warningsOf('object.spec.colour == "red"')).to.deep.equal([
      "spec.validations[0].expression: example.com/v1, Kind=Widget: ERROR: <input>:1:12: undefined field 'colour'\n" +
        ' | object.spec.colour == "red"\n' +
        ' | ...........^\n',
    ]);
    expect((await warningsOf('object.spec.size == "1"'))[0]).to.include(
      "found no matching overload for '_==_' applied to '(int, string)'",
    );
  });
  it('knows types of variables', async () => {
    const variables = [{ name: 'size', expression: 'object.spec.size' }];
    expect(await warningsOf('variables.size > 3', { variables })).to.deep.equal([]);
    expect(await warningsOf('variables.size > "3"', { variables })).to.have.length(1);
  });
  it('let others have the thread meanwhile', async () => {
    const validations = Array.from({ length: 6_000 }, (_, i) => ({ expression: `object.metadata.name != 'a${i}'` }));
    let turns = 0;
    let looking = true;
    const look = (): void => {
      turns++;
      if (looking) setImmediate(look);
    };
    setImmediate(look);
    expect(await warningsOf('true', { validations })).to.deep.equal([]);
    looking = false;
    expect(turns).to.be.greaterThan(1);
  });
  it('takes parameters of an unknown kind for anything', async () => {
    expect(await warningsOf('params.x.y == 1', { paramKind: { apiVersion: 'v1', kind: 'X' } })).to.deep.equal([]);
    expect((await warningsOf('params.x.y == 1'))[0]).to.include("undeclared reference to 'params'");
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
  it('are found however many groups, versions and resources a rule names', () => {
    const names = Array.from({ length: 1_000 }, (_, i) => `a${i}`);
    const rule = { apiGroups: ['', ...names], apiVersions: ['v1', ...names], resources: ['pods', ...names] };
    const pods = { group: '', version: 'v1', resource: 'pods', kind: 'Pod' } as DiscoveredResource;
    const policy = { spec: { matchConstraints: { resourceRules: [rule] } } } as unknown as ValidatingAdmissionPolicy;
    expect(kindsToCheck(policy, [pods])).to.deep.equal([{ group: '', version: 'v1', kind: 'Pod' }]);
  });
});
