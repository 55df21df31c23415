import type { Authorizer, UserInfo } from '@kubechain/apiserver/resources';
import { expect } from 'chai';
import { paramKindErrors, paramRefErrors } from './param-rights.ts';

const alice: UserInfo = { name: 'alice', uid: '7', groups: ['devs', 'all'], extra: { k: ['v', 'w'] } };
const shown = '&{alice 7 [devs all] map[k:[v w]]}';

/** Allows nothing but what it is told, as `verb group/version/resource namespace/name`. */
function rights(...allowed: readonly string[]): {
  readonly authorizer: Authorizer;
  readonly resourceOfKind: () => Promise<string | undefined>;
  readonly asked: string[];
} {
  const asked: string[] = [];
  return {
    asked,
    resourceOfKind: (kind?: { readonly kind: string }) => Promise.resolve(kind?.kind === 'Box' ? 'boxes' : undefined),
    authorizer: {
      authorize({ apiGroup, apiVersion, name, namespace, resource, verb }) {
        asked.push(`${verb} ${apiGroup}/${apiVersion}/${resource} ${namespace}/${name}`);
        return { decision: allowed.includes(asked.at(-1) ?? '') ? 'Allow' : 'NoOpinion', reason: '' };
      },
    },
  };
}

describe('rights to read params', () => {
  const kinds: readonly (readonly [apiVersion: string, kind: string, asked: string])[] = [
    ['x.io/v1', 'Box', 'get x.io/v1/boxes */*'],
    ['v1', 'Box', 'get /v1/boxes */*'],
    ['x.io/v1', 'Nothing', 'get x.io/v1/* */*'],
    ['a/b/c', 'Box', 'get */*/* */*'],
  ];
  for (const [apiVersion, kind, question] of kinds) {
    it(`of ${apiVersion} ${kind}`, async () => {
      const refused = rights();
      expect((await paramKindErrors({ apiVersion, kind }, alice, refused)).map(String)).to.deep.equal([
        `spec.paramKind: Forbidden: user ${shown} must have "get" permission on all objects of the referenced ` +
          `paramKind (kind=${kind}, apiVersion=${apiVersion})`,
      ]);
      expect(refused.asked).to.deep.equal([question]);
      expect(await paramKindErrors({ apiVersion, kind }, alice, rights(question))).to.deep.equal([]);
    });
  }

  it('of administrators are not asked for', async () => {
    const user = { name: 'root', groups: ['system:masters'] };
    expect(await paramKindErrors({ apiVersion: 'v1', kind: 'Box' }, user, rights())).to.deep.equal([]);
    expect(
      await paramRefErrors({ name: 'a' }, { policyName: 'p', policy: undefined, user, isMutating: false }, rights()),
    ).to.deep.equal([]);
  });

  const box = { paramKind: { apiVersion: 'x.io/v1', kind: 'Box' } };
  const everything = (what: string): string =>
    `unable to ${what} to determine minimum required permissions and user ${shown} does not have "get" ` +
    'permission for all groups, versions and resources';
  const refs: readonly (readonly [
    name: string,
    ref: Parameters<typeof paramRefErrors>[0],
    policy: Parameters<typeof paramRefErrors>[1]['policy'],
    asked: string,
    error: string,
  ])[] = [
    [
      'a name',
      { name: 'a', namespace: 'ns' },
      box,
      'get x.io/v1/boxes ns/a',
      `user ${shown} does not have "get" permission on the object referenced by paramRef`,
    ],
    [
      'a selector',
      { selector: {} },
      box,
      'list x.io/v1/boxes /',
      `user ${shown} does not have "list" permission on the object referenced by paramRef`,
    ],
    ['no policy', { name: 'a' }, undefined, 'get */*/* /a', everything('get policy p')],
    [
      'a policy without a kind',
      { name: 'a' },
      { paramKind: undefined },
      'get */*/* /a',
      `user ${shown} does not have "get" permission on the object referenced by paramRef`,
    ],
    [
      'an unknown kind',
      { name: 'a' },
      { paramKind: { apiVersion: 'v1', kind: 'No' } },
      'get /v1/* /a',
      everything('resolve paramKind &ParamKind{APIVersion:v1,Kind:No,}'),
    ],
    [
      'a kind that cannot be read',
      { name: 'a' },
      { paramKind: { apiVersion: 'a/b/c', kind: 'No' } },
      'get */*/* /a',
      everything('parse paramKind &ParamKind{APIVersion:a/b/c,Kind:No,}'),
    ],
  ];
  it('by a mutating binding, in other words', async () => {
    expect(
      (
        await paramRefErrors({ name: 'a' }, { policyName: 'p', policy: box, user: alice, isMutating: true }, rights())
      ).map(({ detail }) => detail),
    ).to.deep.equal([`user get does not have "${shown}" permission on the object referenced by paramRef`]);
  });
  for (const [name, ref, policy, question, error] of refs) {
    it(`by a binding with ${name}`, async () => {
      const refused = rights();
      expect(
        (await paramRefErrors(ref, { policyName: 'p', policy, user: alice, isMutating: false }, refused)).map(String),
      ).to.deep.equal([`spec.paramRef: Forbidden: ${error}`]);
      expect(refused.asked).to.deep.equal([question]);
      expect(
        await paramRefErrors(ref, { policyName: 'p', policy, user: alice, isMutating: false }, rights(question)),
      ).to.deep.equal([]);
    });
  }
});
