import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuthorizationAttributes } from '../authorizer.ts';
import { readPolicyFile } from './policy-file.ts';
import type { PolicyList } from './policy-list.ts';

const request: AuthorizationAttributes = {
  user: { name: 'alice', groups: ['devs', 'system:authenticated'] },
  verb: 'get',
  resourceRequest: true,
  path: '',
  namespace: 'x',
  apiGroup: 'apps',
  apiVersion: 'v1',
  resource: 'deployments',
  subresource: '',
  name: '',
};
const path = (path: string): Partial<AuthorizationAttributes> => ({ resourceRequest: false, path });
const anonymous = { user: { name: 'system:anonymous', groups: ['system:unauthenticated'] } };

describe('policies of files', () => {
  let folder: string;
  const read = (text: string, warn?: (warning: string) => void): PolicyList => {
    writeFileSync(join(folder, 'policies'), text);
    return readPolicyFile(join(folder, 'policies'), warn);
  };
  const policy = (spec: object): string =>
    JSON.stringify({ apiVersion: 'abac.authorization.kubernetes.io/v1beta1', kind: 'Policy', spec });

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'kubechain-abac-'));
  });
  after(() => {
    rmSync(folder, { recursive: true });
  });

  const rows: readonly [string, string, Partial<AuthorizationAttributes>, boolean][] = [
    ['a user', policy({ user: 'alice', namespace: 'x', resource: 'deployments', apiGroup: 'apps' }), {}, true],
    ['another user', policy({ user: 'bob', namespace: '*', resource: '*', apiGroup: '*' }), {}, false],
    ['a group', policy({ group: 'devs', namespace: '*', resource: '*', apiGroup: '*' }), {}, true],
    [
      'user and group',
      policy({ user: 'alice', group: 'ops', namespace: '*', resource: '*', apiGroup: '*' }),
      {},
      false,
    ],
    ['no subject', policy({ namespace: '*', resource: '*', apiGroup: '*' }), {}, false],
    ['everybody, who has logged in', policy({ user: '*', nonResourcePath: '*' }), path('/version'), true],
    [
      'everybody, who has not',
      policy({ user: '*', nonResourcePath: '*' }),
      { ...path('/version'), ...anonymous },
      false,
    ],
    ['another API group', policy({ user: 'alice', namespace: '*', resource: '*' }), {}, false],
    ['another namespace', policy({ user: 'alice', namespace: 'y', resource: '*', apiGroup: '*' }), {}, false],
    ['no namespace', policy({ user: 'alice', namespace: '', resource: '*', apiGroup: '*' }), { namespace: '' }, true],
    ['reading', policy({ user: 'alice', readonly: true, namespace: '*', resource: '*', apiGroup: '*' }), {}, true],
    [
      'writing where only reading is allowed',
      policy({ user: 'alice', readonly: true, namespace: '*', resource: '*', apiGroup: '*' }),
      { verb: 'update' },
      false,
    ],
    ['a path below', policy({ user: 'alice', nonResourcePath: '/logs/*' }), path('/logs/a/b'), true],
    ['a path beside', policy({ user: 'alice', nonResourcePath: '/logs/*' }), path('/log'), false],
    ['a path for a resource', policy({ user: 'alice', nonResourcePath: '*' }), {}, false],
    ['an old line for everything', '{"user":"alice"}', { verb: 'delete' }, true],
    ['an old line for all paths', '{}', path('/metrics'), true],
    ['an old line for a resource, of paths', '{"resource":"pods"}', path('/metrics'), false],
    ['an old line in YAML', 'user: alice', {}, true],
    ['fields that are not known', '{"user":"alice","nope":1}', {}, true],
    ['comments and blanks', '# {"user":"alice"}\n\n  \n', {}, false],
  ];
  for (const [name, text, asked, allowed] of rows)
    it(`${allowed ? 'allow' : 'do not allow'}: ${name}`, () => {
      expect(read(text).authorize({ ...request, ...asked })).to.deep.equal(
        allowed ? { decision: 'Allow', reason: '' } : { decision: 'NoOpinion', reason: 'No policy matched.' },
      );
    });

  it('tell what a user may do', () => {
    const policies = read(
      [
        policy({ user: 'alice', namespace: 'x', resource: 'pods', readonly: true }),
        policy({ user: 'alice', namespace: 'y', resource: 'pods' }),
        policy({ group: 'devs', namespace: '*', apiGroup: '*', resource: '*', nonResourcePath: '/a' }),
      ].join('\n'),
    );
    expect(policies.rulesFor(request.user, 'x')).to.deep.equal({
      resourceRules: [
        { verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['pods'] },
        { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
      ],
      nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['/a'] }],
      incomplete: false,
      evaluationError: '',
    });
  });

  it('warn of lines without a version', () => {
    const warnings: string[] = [];
    read('{"user":"alice"}', (text) => warnings.push(text));
    read(policy({ user: 'alice' }), (text) => warnings.push(text));
    expect(warnings).to.deep.equal([`Policy file ${join(folder, 'policies')} contained unversioned rules`]);
  });

  /** As kube-apiserver 1.36 ends with these files. */
  const refused: readonly [string, string][] = [
    [
      '{"apiVersion":"abac.authorization.kubernetes.io/v1","kind":"Policy","spec":{"user":"bob"}}',
      'no kind "Policy" is registered for version "abac.authorization.kubernetes.io/v1" in scheme ' +
        '"pkg/runtime/scheme.go:111"',
    ],
    ['{"user":"alice"', "couldn't get version/kind; json parse error: unexpected end of JSON input"],
    ['{"user":7}', 'json: cannot unmarshal number into Go struct field Policy.user of type string'],
    [policy({ user: 7 }), 'json: cannot unmarshal number into Go struct field PolicySpec.spec.user of type string'],
    [
      '{"apiVersion":"abac.authorization.kubernetes.io/v1beta1","spec":{"user":"a"}}',
      'converting (v1beta1.Policy) to (v0.Policy): unknown conversion',
    ],
    [
      '{"kind":"Pod","apiVersion":"v1"}',
      'no kind "Pod" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
    ],
  ];
  for (const [line, reason] of refused)
    it(`refuse ${line}`, () => {
      expect(() => read(`# first\n${line}\n`)).to.throw(
        `--authorization-policy-file: error reading policy file ${join(folder, 'policies')}, line 2: ${line}: ` +
          reason,
      );
    });
  it('refuse a file that is not there', () => {
    expect(() => readPolicyFile(join(folder, 'none'))).to.throw('--authorization-policy-file: cannot read');
  });
});
