import { expect } from 'chai';
import { notFound, type KubeObject } from '@kubechain/apimachinery';
import { bootstrapTokenAuthenticator } from './bootstrap-token.ts';

const token = 'abcdef.0123456789abcdef';
const nowMs = Date.parse('2026-01-01T00:00:00Z');

interface Parts {
  readonly type?: string;
  readonly deleted?: boolean;
  readonly data?: Readonly<Record<string, string>>;
}

/** A good Secret of `token`, changed. */
function secretOf({ type = 'bootstrap.kubernetes.io/token', deleted = false, data = {} }: Parts): KubeObject {
  const fields: Record<string, string> = {
    'token-id': 'abcdef',
    'token-secret': '0123456789abcdef',
    'usage-bootstrap-authentication': 'true',
    ...data,
  };
  return {
    metadata: {
      name: 'bootstrap-token-abcdef',
      namespace: 'kube-system',
      ...(deleted ? { deletionTimestamp: '2025-12-31T00:00:00Z' } : {}),
    },
    type,
    data: Object.fromEntries(Object.entries(fields).map(([key, text]) => [key, Buffer.from(text).toString('base64')])),
  } as KubeObject;
}

function bearerOf(text: string, parts: Parts = {}): Promise<unknown> {
  const secrets = {
    getSecret: (namespace: string, name: string) =>
      namespace === 'kube-system' && name === 'bootstrap-token-abcdef'
        ? Promise.resolve(secretOf(parts))
        : Promise.reject(notFound({ group: '', resource: 'secrets' }, name)),
  };
  return Promise.resolve(bootstrapTokenAuthenticator(secrets, { now: () => nowMs }).authenticateToken(text));
}

describe('bootstrap tokens', () => {
  it('are their bearers, in the group of all and in those that the Secret adds', async () => {
    expect(await bearerOf(token)).to.deep.equal({
      user: { name: 'system:bootstrap:abcdef', groups: ['system:bootstrappers'] },
    });
    const extra =
      'system:bootstrappers:worker,system:bootstrappers:kubeadm:default-node-token,system:bootstrappers:worker';
    expect(
      await bearerOf(token, { data: { 'auth-extra-groups': extra, expiration: '2026-01-01T00:00:01Z' } }),
    ).to.deep.equal({
      user: {
        name: 'system:bootstrap:abcdef',
        groups: [
          'system:bootstrappers',
          'system:bootstrappers:kubeadm:default-node-token',
          'system:bootstrappers:worker',
        ],
      },
    });
  });

  const strangers: readonly (readonly [name: string, text: string, parts?: Parts])[] = [
    ['no token of the form', 'abcdef'],
    ['upper case', 'ABCDEF.0123456789abcdef'],
    ['no Secret', 'zzzzzz.0123456789abcdef'],
    ['another secret', 'abcdef.0123456789abcdee'],
    ['another id in the Secret', token, { data: { 'token-id': 'abcdeg' } }],
    ['a Secret of another type', token, { type: 'Opaque' }],
    ['a Secret being deleted', token, { deleted: true }],
    ['a token that is not for authentication', token, { data: { 'usage-bootstrap-authentication': 'yes' } }],
    ['a token that expires now', token, { data: { expiration: '2026-01-01T00:00:00Z' } }],
    ['a token that expired elsewhere', token, { data: { expiration: '2026-01-01T01:00:00+02:00' } }],
    ['an expiration that is no time', token, { data: { expiration: 'tomorrow' } }],
    ['a group of somebody else', token, { data: { 'auth-extra-groups': 'system:masters' } }],
    ['an empty group', token, { data: { 'auth-extra-groups': 'system:bootstrappers:a,' } }],
  ];
  for (const [name, text, parts] of strangers)
    it(`are nobody's with ${name}`, async () => {
      expect(await bearerOf(text, parts)).to.equal(undefined);
    });

  it('are not refused because storage fails, but told', async () => {
    const failing = { getSecret: () => Promise.reject(new TypeError('etcd is away')) };
    const authenticator = bootstrapTokenAuthenticator(failing, { now: () => nowMs });
    const outcome = await Promise.resolve(authenticator.authenticateToken(token)).catch(
      (error: Error) => error.message,
    );
    expect(outcome).to.equal('etcd is away');
  });
});
