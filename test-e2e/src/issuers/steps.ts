import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeWebhookKubeconfig } from '../harness/local-https.ts';
import type { Provider } from './provider.ts';

/** A request: a token is named by its key in {@link makeTokens}; none is anonymous. */
export interface Step {
  readonly method: string;
  readonly path: string;
  readonly token?: string;
  readonly body?: unknown;
}

const group = 'apiserver.config.k8s.io/v1';

/** Issuers, webhooks and the files that name them; returns flags. */
export function configure(provider: Provider, folder: string): readonly string[] {
  const { certificate, port } = provider;
  provider.addIssuer('/a', 'https://a.example');
  provider.addIssuer('/b', 'https://b.example');
  provider.addIssuer('/c');
  provider.addWebhook('/deny', ({ user }) => ({ allowed: false, denied: user === 'b:denied', reason: 'not that one' }));
  provider.addWebhook('/allow', ({ resourceAttributes }) => ({
    allowed: (resourceAttributes as { readonly resource?: string } | undefined)?.resource === 'configmaps',
    reason: 'configmaps for all',
  }));
  provider.addWebhook('/broken', () => undefined);
  const discoveryURL = (path: string): string => `https://localhost:${port}${path}/.well-known/openid-configuration`;
  const issuer = { certificateAuthority: certificate };
  const authentication = {
    apiVersion: group,
    kind: 'AuthenticationConfiguration',
    anonymous: { enabled: true, conditions: [{ path: '/livez' }, { path: '/readyz' }] },
    jwt: [
      {
        issuer: { ...issuer, url: 'https://a.example', discoveryURL: discoveryURL('/a'), audiences: ['kubernetes'] },
        claimValidationRules: [{ claim: 'hd', requiredValue: 'example.com' }],
        claimMappings: {
          username: { claim: 'email', prefix: 'a:' },
          groups: { claim: 'roles', prefix: 'a-' },
          uid: { claim: 'sub' },
        },
      },
      {
        issuer: {
          ...issuer,
          url: 'https://b.example',
          discoveryURL: discoveryURL('/b'),
          audiences: ['kubernetes', 'other'],
          audienceMatchPolicy: 'MatchAny',
        },
        claimValidationRules: [
          { expression: 'claims.exp - claims.iat <= 1e12', message: 'lives too long' },
          { expression: "claims.?tenant.orValue('t') == 't'", message: 'another tenant' },
        ],
        claimMappings: {
          username: { expression: "'b:' + claims.sub" },
          groups: { expression: 'claims.realm_access.roles.filter(r, r.startsWith("k8s-"))' },
          uid: { expression: 'string(claims.n)' },
          extra: [
            { key: 'example.org/tenant', valueExpression: "claims.?tenant.orValue('')" },
            { key: 'example.org/dotted', valueExpression: 'claims.example__dot__com__slash__x' },
          ],
        },
        userValidationRules: [
          { expression: "!user.username.startsWith('b:system:')", message: 'reserved' },
          { expression: "user.groups.all(g, g != 'k8s-evil') && user.extra.size() >= 0", message: 'evil' },
        ],
      },
      {
        issuer: { ...issuer, url: `https://localhost:${port}/c`, audiences: ['kubernetes'] },
        claimMappings: { username: { claim: 'sub', prefix: '' }, groups: { claim: 'groups', prefix: '' } },
      },
    ],
  };
  const webhook = (path: string, fields: object): object => ({
    timeout: '3s',
    subjectAccessReviewVersion: 'v1',
    matchConditionSubjectAccessReviewVersion: 'v1',
    failurePolicy: 'NoOpinion',
    authorizedTTL: '1s',
    unauthorizedTTL: '1s',
    connectionInfo: {
      type: 'KubeConfigFile',
      kubeConfigFile: writeWebhookKubeconfig(join(folder, `${path}.kubeconfig`), {
        certificate,
        url: `https://localhost:${port}/${path}`,
      }),
    },
    ...fields,
  });
  const authorization = {
    apiVersion: group,
    kind: 'AuthorizationConfiguration',
    authorizers: [
      {
        type: 'Webhook',
        name: 'deny.example',
        webhook: webhook('deny', {
          failurePolicy: 'Deny',
          matchConditions: [
            { expression: "request.user.startsWith('b:')" },
            { expression: "has(request.resourceAttributes) && request.resourceAttributes.resource != 'nodes'" },
          ],
        }),
      },
      { type: 'RBAC', name: 'rbac' },
      {
        type: 'Webhook',
        name: 'fail-closed',
        webhook: webhook('broken', {
          failurePolicy: 'Deny',
          matchConditions: [{ expression: "request.user == 'a:closed@example.com'" }],
        }),
      },
      {
        type: 'Webhook',
        name: 'bad-condition',
        webhook: webhook('broken', {
          failurePolicy: 'Deny',
          matchConditions: [
            { expression: "request.extra['example.org/none'][0] == 'x'" },
            { expression: "request.user == 'b:fails'" },
          ],
        }),
      },
      {
        type: 'Webhook',
        name: 'fail-open',
        webhook: webhook('broken', { matchConditions: [{ expression: "request.user == 'a:open@example.com'" }] }),
      },
      { type: 'Webhook', name: 'allow', webhook: webhook('allow', {}) },
    ],
  };
  writeFileSync(join(folder, 'authentication.json'), JSON.stringify(authentication));
  writeFileSync(join(folder, 'authorization.json'), JSON.stringify(authorization));
  writeFileSync(join(folder, 'tokens.csv'), 'admintoken,admin,admin-uid,"system:masters"\n');
  return [
    ['--token-auth-file', join(folder, 'tokens.csv')],
    ['--enable-bootstrap-token-auth'],
    ['--authentication-config', join(folder, 'authentication.json')],
    ['--authorization-config', join(folder, 'authorization.json')],
  ].flat();
}

/** Tokens by the names that steps have for them. */
export async function makeTokens(provider: Provider): Promise<ReadonlyMap<string, string>> {
  const time = { iat: 1_700_000_000, exp: 4_000_000_000 };
  const a = {
    iss: 'https://a.example',
    aud: 'kubernetes',
    sub: '7',
    hd: 'example.com',
    email: 'ann@example.com',
    ...time,
  };
  const b = {
    iss: 'https://b.example',
    aud: ['other', 'x'],
    sub: 'bob',
    jti: 'j1',
    n: 5,
    ...time,
    realm_access: { roles: ['k8s-dev', 'else', 'k8s-ops'] },
    'example.com/x': ['p', '', 'q'],
  };
  const c = { iss: `https://localhost:${provider.port}/c`, aud: 'kubernetes', sub: 'carl', ...time };
  const place = `https://localhost:${provider.port}/claims`;
  const distributed = { _claim_names: { groups: 's' }, _claim_sources: { s: { endpoint: place, access_token: 't' } } };
  provider.addText('/claims', await provider.sign({ ...c, groups: ['far', 'away'] }));
  const tokens = new Map<string, string>([['admin', 'admintoken']]);
  const add = async (name: string, claims: object, kid?: string): Promise<void> => {
    tokens.set(name, await provider.sign({ ...claims } as never, kid));
  };
  await add('a', { ...a, roles: ['dev', 'ops'], email_verified: true });
  await add('a-one-role', { ...a, roles: 'dev' });
  await add('a-es256', { ...a, roles: null }, 'two');
  await add('a-unverified', { ...a, email_verified: false });
  await add('a-odd-verified', { ...a, email_verified: 'yes' });
  await add('a-no-email', { ...a, email: undefined });
  await add('a-number', { ...a, email: 7 });
  await add('a-odd-roles', { ...a, roles: [1] });
  await add('a-other-domain', { ...a, hd: 'example.net' });
  await add('a-no-domain', { ...a, hd: undefined });
  await add('a-odd-domain', { ...a, hd: [] });
  await add('a-no-sub', { ...a, sub: undefined });
  await add('a-other-audience', { ...a, aud: 'x' });
  await add('a-no-audience', { ...a, aud: undefined });
  await add('a-expired', { ...a, exp: 1_000_000_000 });
  await add('a-closed', { ...a, email: 'closed@example.com' });
  await add('a-open', { ...a, email: 'open@example.com' });
  await add('b', { ...b, tenant: 't' });
  await add('b-no-tenant', b);
  await add('b-other-tenant', { ...b, tenant: 'u' });
  await add('b-other-audience', { ...b, aud: ['x', 'y'] });
  await add('b-long', { ...b, exp: 4_000_000_000_000 });
  await add('b-system', { ...b, sub: 'system:x' });
  await add('b-evil', { ...b, realm_access: { roles: ['k8s-evil'] } });
  await add('b-no-roles', { ...b, realm_access: {} });
  await add('b-odd-roles', { ...b, realm_access: { roles: 'k8s-dev' } });
  await add('b-no-dotted', { ...b, 'example.com/x': undefined });
  await add('b-odd-dotted', { ...b, 'example.com/x': [1] });
  await add('b-no-sub', { ...b, sub: undefined });
  await add('b-denied', { ...b, sub: 'denied' });
  await add('b-fails', { ...b, sub: 'fails' });
  await add('c', { ...c, groups: ['g'] });
  await add('c-distributed', { ...c, ...distributed });
  await add('c-distributed-nowhere', { ...c, ...distributed, _claim_sources: {} });
  await add('c-no-sources', { ...c, _claim_names: { groups: 's' } });
  await add('d-unknown', { ...c, iss: 'https://d.example' });
  const good = tokens.get('a') ?? '';
  tokens.set('a-broken', `${good.slice(0, -8)}AAAAAAAA`);
  tokens.set('a-unsigned', `${Buffer.from('{"alg":"none"}').toString('base64url')}.${good.split('.')[1] ?? ''}.`);
  for (const { id } of bootstrapSecrets) tokens.set(`bootstrap-${id}`, `${id}.0123456789abcdef`);
  tokens.set('bootstrap-wrong', `${bootstrapSecrets[0].id}.0123456789abcdee`);
  tokens.set('bootstrap-none', 'zzzzzz.0123456789abcdef');
  return tokens;
}

/** Bootstrap tokens that are good, of the past, and for something else. */
const bootstrapSecrets = [
  { id: 'aaaaaa', data: { 'usage-bootstrap-authentication': 'true', 'auth-extra-groups': 'system:bootstrappers:x' } },
  { id: 'bbbbbb', data: { 'usage-bootstrap-authentication': 'true', expiration: '2001-01-01T00:00:00Z' } },
  { id: 'cccccc', data: { 'usage-bootstrap-signing': 'true' } },
  { id: 'dddddd', data: { 'usage-bootstrap-authentication': 'true', 'auth-extra-groups': 'system:masters' } },
] as const;

function bootstrapSecret({ data, id }: (typeof bootstrapSecrets)[number]): Step {
  return {
    method: 'POST',
    path: '/api/v1/namespaces/kube-system/secrets',
    token: 'admin',
    body: {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: `bootstrap-token-${id}` },
      type: 'bootstrap.kubernetes.io/token',
      stringData: { 'token-id': id, 'token-secret': '0123456789abcdef', ...data },
    },
  };
}

function review(name: string): Step {
  return {
    method: 'POST',
    path: '/apis/authentication.k8s.io/v1/tokenreviews',
    token: 'admin',
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token: `TOKEN ${name}` } },
  };
}

function access(token: string, resource: string): Step {
  return {
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    token,
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: { verb: 'get', resource, namespace: 'default', name: 'x' } },
    },
  };
}

/** What is asked, in order. */
export function stepsFor(tokens: ReadonlyMap<string, string>): readonly Step[] {
  const who = {
    method: 'POST',
    path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
  };
  return [
    ...bootstrapSecrets.map(bootstrapSecret),
    // Fetches who the issuer of a distributed claim is, for the review of it.
    review('c-distributed'),
    ...[...tokens.keys()].filter((name) => name !== 'admin').map(review),
    ...['a', 'b', 'c', 'a-expired', 'd-unknown', 'bootstrap-aaaaaa'].map((token) => ({ ...who, token })),
    ...['/livez', '/readyz', '/version', '/livez/ping', '/api'].map((path) => ({ method: 'GET', path })),
    ...['a', 'b', 'b-denied', 'b-fails', 'a-closed', 'a-open', 'c'].flatMap((token) =>
      ['configmaps', 'nodes', 'secrets'].map((resource) => access(token, resource)),
    ),
    ...['b-denied', 'b-fails', 'a-closed', 'a-open', 'a'].flatMap((token) =>
      ['/api/v1/namespaces/default/configmaps', '/api/v1/nodes', '/metrics'].map((path) => ({
        method: 'GET',
        path,
        token,
      })),
    ),
  ];
}

/** What differs from run to run: names of objects, times, and the provider's port. */
export function comparable(value: unknown, port: number): unknown {
  const varying = new Set(['creationTimestamp', 'resourceVersion', 'managedFields', 'token', 'uid']);
  return JSON.parse(
    JSON.stringify(value, (key, inner: unknown) => (varying.has(key) && key !== 'uid' ? undefined : inner)).replaceAll(
      `localhost:${port}`,
      'localhost:PORT',
    ),
  );
}
