import { expect } from 'chai';
import { builtinScheme, decodeJSON } from '../index.ts';
import type { JSONValue, KindInfo } from '../index.ts';
import { atomOf } from './atom.ts';
import { compareTyped } from './compare.ts';
import { pathText, pathsOf } from './field-set.ts';

const slices = { group: 'discovery.k8s.io', version: 'v1', kind: 'EndpointSlice' };
const policies = { group: 'admissionregistration.k8s.io', version: 'v1', kind: 'ValidatingAdmissionPolicy' };
const schemas = { group: 'flowcontrol.apiserver.k8s.io', version: 'v1', kind: 'FlowSchema' };
const rule = { verbs: ['get'], apiGroups: [''], resources: ['pods'], clusterScope: true };

/** What an update of `before` with `after` changes, each as a body gives it. */
const changes = (gvk: typeof slices, before: object, after: object, as: 'structs' | 'values' = 'structs'): string[] => {
  const kind = builtinScheme().kind(gvk) as KindInfo;
  const decoded = (members: object): JSONValue =>
    decodeJSON(
      Buffer.from(JSON.stringify({ apiVersion: `${gvk.group}/${gvk.version}`, kind: gvk.kind, ...members })),
      kind,
      { strict: 'Ignore', scheme: builtinScheme(), schemeName: 'x' },
    ).object as JSONValue;
  return [...pathsOf(compareTyped(atomOf(kind.schema), decoded(before), decoded(after), as).modified)].map(pathText);
};

describe('equality of what is owned as a whole', () => {
  it('has structs that are not pointers everywhere', () => {
    const endpoint = { addresses: ['1.2.3.4'] };
    expect(changes(slices, { endpoints: [{ ...endpoint, conditions: {} }] }, { endpoints: [endpoint] })).to.deep.equal(
      [],
    );
    expect(
      changes(
        slices,
        { endpoints: [{ ...endpoint, conditions: {} }] },
        { endpoints: [{ ...endpoint, conditions: { ready: true } }] },
      ),
    ).to.deep.equal(['.endpoints']);
  });

  it('has them not in what a merge of configurations makes', () => {
    const endpoint = { addresses: ['1.2.3.4'] };
    expect(
      changes(slices, { endpoints: [{ ...endpoint, conditions: {} }] }, { endpoints: [endpoint] }, 'values'),
    ).to.deep.equal(['.endpoints']);
  });

  it('has fields without omitempty everywhere', () => {
    const flow = (resourceRule: object): object => ({
      spec: { priorityLevelConfiguration: { name: 'p' }, rules: [{ subjects: [], resourceRules: [resourceRule] }] },
    });
    expect(changes(schemas, flow({ ...rule, namespaces: null }), flow(rule))).to.deep.equal([]);
    expect(changes(schemas, flow(rule), flow({ ...rule, namespaces: ['a'] }))).to.deep.equal(['.spec.rules']);
  });

  it('tells lists and maps without entries from none within a list alone', () => {
    expect(
      changes(
        slices,
        { endpoints: [{ addresses: ['1.2.3.4'] }] },
        { endpoints: [{ addresses: ['1.2.3.4'], deprecatedTopology: {} }] },
      ),
    ).to.deep.equal(['.endpoints']);
    const policy = (matchConstraints: object): object => ({ spec: { matchConstraints } });
    expect(
      changes(policies, policy({ resourceRules: [rule] }), policy({ resourceRules: [{ ...rule, resourceNames: [] }] })),
    ).to.deep.equal(['.spec.matchConstraints']);
    expect(
      changes(policies, policy({ resourceRules: [rule] }), policy({ resourceRules: [rule], excludeResourceRules: [] })),
    ).to.deep.equal([]);
  });
});
