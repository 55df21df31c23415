import type { KubeObject, StatusError } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { alwaysAllow } from '../../authorization/always.ts';
import type { AdmissionAttributes } from '../admission.ts';
import { createAdmissionChain } from '../chain.ts';
import { creationOf, oneNamespace } from '../testing/attributes.ts';
import { MutatingAdmissionPolicy } from './mutating-policies.ts';
import { MutatingPolicy } from './mutating-policy.ts';
import { bindingOf, policyOf } from './policy-source.ts';
import type { MutatingPolicySpec } from './stored-policy.ts';

const everything = {
  namespaceSelector: {},
  objectSelector: {},
  matchPolicy: 'Equivalent',
  resourceRules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['v1'], resources: ['*'] }],
};
const apply = (expression: string): MutatingPolicySpec => ({
  mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }],
});
const patch = (expression: string): MutatingPolicySpec => ({
  mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression } }],
});

/** What becomes of an object with `data.a = 1`, or the refusal. */
async function mutated(
  policies: readonly MutatingPolicySpec[],
  more: Partial<AdmissionAttributes> = {},
): Promise<unknown> {
  const hooks = policies.map((spec, i) => ({
    ...policyOf(`p${i}`, { matchConstraints: everything, failurePolicy: 'Fail', ...spec }, (_name, of) =>
      MutatingPolicy.compile(of),
    ),
    bindings: [bindingOf('b', {})],
  }));
  const plugin = new MutatingAdmissionPolicy({
    source: { hooks: () => hooks, hasSynced: true, waitForSync: () => Promise.resolve() },
    params: { find: () => Promise.resolve(undefined) },
    namespaces: oneNamespace,
    authorizer: alwaysAllow,
  });
  const attributes = creationOf({ object: { metadata: { name: 'x' }, data: { a: '1' } }, ...more });
  try {
    await createAdmissionChain([plugin]).admit(attributes);
    const { apiVersion: _apiVersion, kind: _kind, ...rest } = attributes.object ?? ({} as KubeObject);
    return rest;
  } catch (error) {
    const { code, message, status } = error as StatusError;
    return `${code} ${status.reason ?? ''} ${message}`;
  }
}
const x = (data: object, metadata: object = {}): object => ({ metadata: { name: 'x', ...metadata }, data });
const refusal = (text: string): string => `403 Invalid policy 'p0' with binding 'b' denied request: ${text}`;

const patchOfNoType = 'error applying patch: failed to convert patch object to typed object: ';

describe('mutating admission policies', () => {
  const rows: readonly (readonly [name: string, policies: readonly MutatingPolicySpec[], outcome: unknown])[] = [
    [
      'apply configurations',
      [
        apply(
          "Object{data: {'b': object.data.a + '!'}, metadata: Object.metadata{labels: {'team': " +
            'namespaceObject.metadata.labels.team}}}',
        ),
      ],
      x({ a: '1', b: '1!' }, { labels: { team: 'a' } }),
    ],
    [
      'apply patches',
      [
        patch(
          "[JSONPatch{op: 'add', path: '/data/' + jsonpatch.escapeKey('b/c~d'), value: 'x'}, JSONPatch{op: " +
            "'remove', path: '/data/a'}]",
        ),
      ],
      x({ 'b/c~d': 'x' }),
    ],
    ['copy with patches', [patch("[JSONPatch{op: 'copy', from: '/data/a', path: '/data/b'}]")], x({ a: '1', b: '1' })],
    [
      'put objects and numbers into patches',
      [patch("[JSONPatch{op: 'add', path: '/spec', value: Object.spec{n: 1, l: [true], m: {'k': 0.5}}}]")],
      { ...x({ a: '1' }), spec: { n: 1, l: [true], m: { k: 0.5 } } },
    ],
    [
      'refuse objects of the wrong name in patches',
      [patch("[JSONPatch{op: 'add', path: '/spec', value: Object.spec{a: Object.a{}}}]")],
      refusal(
        'type mismatch: unexpected type name "Object.a", expected "Object.spec.a", which matches field name ' +
          'path from root Object type',
      ),
    ],
    [
      'put values into patches',
      [
        patch(
          "[JSONPatch{op: 'add', path: '/spec', value: {'n': 1}}, JSONPatch{op: 'add', path: '/l', value: " +
            '[true, false]}]',
        ),
      ],
      { ...x({ a: '1' }), spec: { n: 1 }, l: [true, false] },
    ],
    [
      'leave out fields that are none',
      [apply("Object{data: {'b': 'x'}, ?spec: optional.none()}")],
      x({ a: '1', b: 'x' }),
    ],
    [
      'see what those before them did',
      [apply("Object{data: {'b': 'x'}}"), apply("Object{data: {'c': object.data.b + 'y'}}")],
      x({ a: '1', b: 'x', c: 'xy' }),
    ],
    [
      'see what their own mutations did',
      [
        {
          mutations: [
            ...(apply("Object{data: {'b': 'x'}}").mutations ?? []),
            ...(patch(
              "[JSONPatch{op: 'test', path: '/data/b', value: 'x'}, JSONPatch{op: 'replace', path: '/data/a', " +
                "value: '2'}]",
            ).mutations ?? []),
          ],
        },
      ],
      x({ a: '2', b: 'x' }),
    ],
    [
      'are applied again where they ask for it',
      [
        { ...apply("Object{data: {'n': has(object.data.late) ? 'seen' : 'not'}}"), reinvocationPolicy: 'IfNeeded' },
        apply("Object{data: {'late': 'x'}}"),
      ],
      x({ a: '1', late: 'x', n: 'seen' }),
    ],
    [
      'are not applied again otherwise',
      [apply("Object{data: {'n': has(object.data.late) ? 'seen' : 'not'}}"), apply("Object{data: {'late': 'x'}}")],
      x({ a: '1', late: 'x', n: 'not' }),
    ],
    [
      'do nothing where conditions do not hold',
      [{ ...apply("Object{data: {'b': 'x'}}"), matchConditions: [{ name: 'a', expression: "object.data.a == '2'" }] }],
      x({ a: '1' }),
    ],
    [
      'do nothing where a test fails',
      [patch("[JSONPatch{op: 'test', path: '/data/a', value: '2'}, JSONPatch{op: 'remove', path: '/data/a'}]")],
      x({ a: '1' }),
    ],
    [
      'refuse what conditions fail for',
      [{ ...apply('Object{}'), matchConditions: [{ name: 'a', expression: 'object.none == 1' }] }],
      refusal("expression 'object.none == 1' resulted in error: no such key: none"),
    ],
    [
      'refuse what fails',
      [apply("Object{data: {'b': object.none}}")],
      refusal("expression 'Object{data: {'b': object.none}}' resulted in error: no such key: none"),
    ],
    [
      'refuse what does not compile',
      [apply('none')],
      refusal(
        "compilation failed: ERROR: <input>:1:1: undeclared reference to 'none' (in container '')\n | none\n | ^",
      ),
    ],
    [
      'refuse objects of the wrong name',
      [apply('Object{spec: Object.other{}}')],
      refusal(
        'type mismatch: unexpected type name "Object.other", expected "Object.spec", which matches field name ' +
          'path from root Object type',
      ),
    ],
    [
      'take what is read from an object for what it is there, and types and options for what they hold',
      [apply("Object{l: [object.data], m: {'d': object.data}, t: {'t': type(1)}, o: {'o': optional.of('x')}}")],
      { ...x({ a: '1' }), l: [{ a: '1' }], m: { d: { a: '1' } }, t: { t: 'int' }, o: { o: 'x' } },
    ],
    [
      'refuse maps that are written out within lists',
      [apply("Object{l: [{'a': 'b'}]}")],
      refusal(`${patchOfNoType}.l[0]: expected map, got &{map[a:b]}`),
    ],
    [
      'refuse bytes, which are no text',
      [apply("Object{data: {'b': b'x'}}")],
      refusal(`${patchOfNoType}.data.b: expected map, got &{[120]}`),
    ],
    [
      'refuse maps with keys that are no text',
      [apply("Object{data: {1: 'x'}}")],
      refusal('invalid return type: *dynamic.ObjectVal'),
    ],
    [
      'refuse patches of paths that are not there',
      [patch("[JSONPatch{op: 'replace', path: '/data/none/x', value: 'y'}]")],
      refusal('JSON Patch: replace operation does not apply: doc is missing path: /data/none/x: missing value'),
    ],
    [
      'admit what fails under failure policy Ignore',
      [{ ...apply("Object{data: {'b': object.none}}"), failurePolicy: 'Ignore' }],
      x({ a: '1' }),
    ],
    [
      'tell bad policies',
      [
        {
          ...apply('Object{}'),
          matchConstraints: { ...everything, namespaceSelector: { matchLabels: { 'not ok': 'x' } } },
        },
      ],
      /^403 Forbidden policy "p0" denied request: failed to configure policy: /,
    ],
  ];
  for (const [name, policies, outcome] of rows) {
    it(name, async () => {
      const seen = await mutated(policies);
      if (outcome instanceof RegExp) expect(seen).to.match(outcome);
      else expect(seen).to.deep.equal(outcome);
    });
  }

  it('tell all that fails in causes', async () => {
    const hooks = ['p', 'q'].map((name) => ({
      ...policyOf(
        name,
        { matchConstraints: everything, failurePolicy: 'Fail', ...apply('Object{a: object.none}') },
        (_name, of: MutatingPolicySpec) => MutatingPolicy.compile(of),
      ),
      bindings: [bindingOf('b', {})],
    }));
    const plugin = new MutatingAdmissionPolicy({
      source: { hooks: () => hooks, hasSynced: true, waitForSync: () => Promise.resolve() },
      params: { find: () => Promise.resolve(undefined) },
      namespaces: oneNamespace,
      authorizer: alwaysAllow,
    });
    const error: unknown = await Promise.resolve(plugin.admit(creationOf())).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect((error as StatusError).status.details?.causes?.map(({ message }) => message?.slice(0, 10))).to.deep.equal([
      "policy 'p'",
      "policy 'q'",
    ]);
  });

  for (const [group, kind] of [
    ['policy', 'Eviction'],
    ['autoscaling', 'Scale'],
    ['authentication.k8s.io', 'TokenRequest'],
  ] as const) {
    const more = { kind: { group, version: 'v1', kind }, subresource: 'some' };
    const matchConstraints = {
      ...everything,
      resourceRules: [{ ...everything.resourceRules[0]!, resources: ['*/some'] }],
    };

    it(`apply no configurations to the subresource ${kind}, whose type is in another group's document`, async () => {
      expect(await mutated([{ ...apply("Object{data: {'b': 'x'}}"), matchConstraints }], more)).to.equal(
        refusal(
          'error applying patch: failed to convert patch object to typed object: ' +
            `no corresponding type for ${group}/v1, Kind=${kind}`,
        ),
      );
      expect(
        await mutated([{ ...patch("[JSONPatch{op: 'add', path: '/data/b', value: 'x'}]"), matchConstraints }], more),
      ).to.deep.equal(x({ a: '1', b: 'x' }));
    });
  }

  it('change nothing that is deleted', async () => {
    expect(await mutated([apply('Object{a: 1}')], { operation: 'DELETE', object: undefined })).to.deep.equal({});
  });

  it('refuse everything when nobody knows in time which there are', async () => {
    const plugin = new MutatingAdmissionPolicy({
      source: { hooks: () => [], hasSynced: false, waitForSync: () => Promise.resolve() },
      params: { find: () => Promise.resolve(undefined) },
      namespaces: oneNamespace,
      authorizer: alwaysAllow,
    });
    const refused = await Promise.resolve(plugin.admit(creationOf())).then(
      () => 'admitted',
      (error: unknown) => (error as Error).message,
    );
    expect(refused).to.equal('configmaps "x" is forbidden: not yet ready to handle request');
  });

  it('cost nothing where there are none', () => {
    const plugin = new MutatingAdmissionPolicy({
      source: { hooks: () => [], hasSynced: true, waitForSync: () => Promise.resolve() },
      params: { find: () => Promise.resolve(undefined) },
      namespaces: oneNamespace,
      authorizer: alwaysAllow,
    });
    expect(plugin.admit(creationOf())).to.equal(undefined);
  });
});
