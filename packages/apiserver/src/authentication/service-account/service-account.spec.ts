import { expect } from 'chai';
import { generateKeyPairSync } from 'node:crypto';
import { notFound, type KubeObject } from '@kubechain/apimachinery';
import type { AuthenticatedUser } from '../authenticator.ts';
import { signJWT } from './jwt.ts';
import { signingKey, verificationKey } from './keys.ts';
import { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { legacyClaims, LEGACY_ISSUER } from './legacy-claims.ts';
import { ServiceAccountTokenMetrics } from './token-metrics.ts';
import { legacyServiceAccountTokenAuthenticator, serviceAccountTokenAuthenticator } from './token-authenticator.ts';
import { TokenGenerator } from './token-generator.ts';
import type { ServiceAccountTokenGetter } from './token-getter.ts';

const issuer = 'https://kubernetes.default.svc';
const object = (name: string, uid: string, extra: object = {}): KubeObject => ({
  metadata: { name, namespace: 'ns', uid },
  ...extra,
});

class Objects implements ServiceAccountTokenGetter {
  readonly objects = new Map<string, KubeObject>();
  async #get(resource: string, name: string): Promise<KubeObject> {
    const found = this.objects.get(`${resource}/${name}`);
    if (found === undefined) throw notFound({ group: '', resource }, name);
    return found;
  }
  getServiceAccount(_namespace: string, name: string): Promise<KubeObject> {
    return this.#get('serviceaccounts', name);
  }
  getPod(_namespace: string, name: string): Promise<KubeObject> {
    return this.#get('pods', name);
  }
  getSecret(_namespace: string, name: string): Promise<KubeObject> {
    return this.#get('secrets', name);
  }
  getNode(name: string): Promise<KubeObject> {
    return this.#get('nodes', name);
  }
}

async function outcome(
  run: () => AuthenticatedUser | undefined | Promise<AuthenticatedUser | undefined>,
): Promise<AuthenticatedUser | string | undefined> {
  try {
    return await run();
  } catch (error) {
    return (error as Error).message;
  }
}

const pairs = {
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ES384: generateKeyPairSync('ec', { namedCurve: 'P-384' }),
};

describe('service account tokens', () => {
  let nowMs: number;
  let getter: Objects;
  const clock = { now: () => nowMs };
  const pair = pairs.ES256;

  beforeEach(() => {
    nowMs = 1_800_000_000_000;
    getter = new Objects();
    getter.objects.set('serviceaccounts/robot', object('robot', 'uid-1'));
    getter.objects.set('pods/web', object('web', 'uid-2'));
    getter.objects.set('nodes/n1', object('n1', 'uid-3'));
    getter.objects.set('secrets/s', object('s', 'uid-4'));
  });
  const authenticator = (keys = [verificationKey(pair.publicKey)]) =>
    serviceAccountTokenAuthenticator({ issuers: [issuer, 'https://old'], keys, apiAudiences: [issuer], getter, clock });
  const generator = (privateKey = pair.privateKey) =>
    new TokenGenerator({ issuer, key: signingKey(privateKey), clock, newID: () => 'the-id' });
  const account = object('robot', 'uid-1');
  const request = { serviceAccount: account, expirationSeconds: 3600, audiences: [issuer] };

  for (const [algorithm, { privateKey, publicKey }] of Object.entries(pairs)) {
    it(`signs and verifies ${algorithm}`, async () => {
      const { token, expiresAtMs } = generator(privateKey).generate(request);
      expect(JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString())).to.deep.equal({
        alg: algorithm,
        kid: verificationKey(publicKey).id,
      });
      expect(expiresAtMs).to.equal(nowMs + 3_600_000);
      const known = await authenticator([
        verificationKey(pairs.RS256.publicKey),
        verificationKey(publicKey),
      ]).authenticateToken(token);
      expect(known).to.deep.equal({
        user: {
          name: 'system:serviceaccount:ns:robot',
          uid: 'uid-1',
          groups: ['system:serviceaccounts', 'system:serviceaccounts:ns'],
          extra: { 'authentication.kubernetes.io/credential-id': ['JTI=the-id'] },
        },
        audiences: [issuer],
      });
    });
  }

  it('tells pod and node of a bound token', async () => {
    const { token } = generator().generate({ ...request, pod: object('web', 'uid-2'), node: object('n1', 'uid-3') });
    const known = (await authenticator().authenticateToken(token)) as AuthenticatedUser;
    expect(known.user.extra).to.deep.include({
      'authentication.kubernetes.io/pod-name': ['web'],
      'authentication.kubernetes.io/pod-uid': ['uid-2'],
      'authentication.kubernetes.io/node-name': ['n1'],
      'authentication.kubernetes.io/node-uid': ['uid-3'],
    });
  });

  for (const [title, prepare, message] of [
    ['account gone', () => getter.objects.delete('serviceaccounts/robot'), 'serviceaccounts "robot" not found'],
    [
      'account made anew',
      () => getter.objects.set('serviceaccounts/robot', object('robot', 'other')),
      'service account UID (other) does not match claim (uid-1)',
    ],
    [
      'account deleted a while ago',
      () =>
        getter.objects.set('serviceaccounts/robot', {
          metadata: { name: 'robot', uid: 'uid-1', deletionTimestamp: new Date(nowMs - 61_000).toISOString() },
        }),
      'service account ns/robot has been deleted',
    ],
    ['pod gone', () => getter.objects.delete('pods/web'), 'service account token has been invalidated'],
    [
      'pod made anew',
      () => getter.objects.set('pods/web', object('web', 'other')),
      'pod UID (other) does not match service account pod ref claim (uid-2)',
    ],
    ['expired', () => (nowMs += 3_661_000), 'service account token has expired'],
    ['used too early', () => (nowMs -= 61_000), 'service account token is not valid yet'],
  ] as const) {
    it(`refuses: ${title}`, async () => {
      const { token } = generator().generate({ ...request, pod: object('web', 'uid-2') });
      prepare();
      expect(await outcome(() => authenticator().authenticateToken(token))).to.equal(message);
    });
  }

  it('allows a minute of clock difference', async () => {
    const { token } = generator().generate(request);
    nowMs += 3_659_000;
    expect(await outcome(() => authenticator().authenticateToken(token))).to.have.property('user');
  });
  it('checks audiences', async () => {
    const { token } = generator().generate({ ...request, audiences: ['vault', 'other'] });
    expect(await outcome(() => authenticator().authenticateToken(token))).to.equal(
      'token audiences ["vault" "other"] is invalid for the target audiences ["https://kubernetes.default.svc"]',
    );
    expect(
      await outcome(() => authenticator().authenticateToken(token, { audiences: ['vault', 'x'] })),
    ).to.have.deep.property('audiences', ['vault']);
    expect(
      await outcome(() => authenticator().authenticateToken(token, { audiences: ['other', 'vault', 'other'] })),
    ).to.have.deep.property('audiences', ['other', 'vault', 'other']);
  });
  it('refuses what another key signed, a changed payload and no signature', async () => {
    const { token } = generator().generate(request);
    const [header, payload, signature] = token.split('.') as [string, string, string];
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    const changed = Buffer.from(JSON.stringify({ ...claims, sub: 'system:serviceaccount:kube-system:admin' })).toString(
      'base64url',
    );
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    expect(
      await outcome(() => authenticator([verificationKey(pairs.ES384.publicKey)]).authenticateToken(token)),
    ).to.equal('invalid signature, no keys found');
    expect(await outcome(() => authenticator().authenticateToken(`${header}.${changed}.${signature}`))).to.equal(
      'go-jose/go-jose: error in cryptographic primitive',
    );
    expect(await outcome(() => authenticator().authenticateToken(`${none}.${payload}.`))).to.equal(
      'go-jose/go-jose: error in cryptographic primitive',
    );
    expect(await outcome(() => authenticator().authenticateToken(`${header}.${payload}.a`))).to.equal(undefined);
  });
  it('does not take an RSA public key for a shared secret, or one algorithm for another', async () => {
    const header = Buffer.from('{"alg":"RS256"}').toString('base64url');
    const [, payload, signature] = generator().generate(request).token.split('.') as [string, string, string];
    expect(await outcome(() => authenticator().authenticateToken(`${header}.${payload}.${signature}`))).to.equal(
      'go-jose/go-jose: error in cryptographic primitive',
    );
  });
  it('leaves other issuers and things that are no JWT to others', async () => {
    const foreign = signJWT({ iss: 'https://elsewhere', sub: 'x' }, signingKey(pair.privateKey));
    for (const token of [foreign, 'alicetoken', 'a.b.c', 'e30.e30.e30', '..'])
      expect(await outcome(() => authenticator().authenticateToken(token))).to.equal(undefined);
  });

  it('are counted by whether it is time for another one, if they say when', async () => {
    const metrics = new ServiceAccountTokenMetrics(new MetricRegistry());
    const counting = serviceAccountTokenAuthenticator({
      issuers: [issuer],
      keys: [verificationKey(pair.publicKey)],
      apiAudiences: [issuer],
      getter,
      clock,
      metrics,
    });
    const { token } = generator().generate({ ...request, warnAfterSeconds: 60 });
    await counting.authenticateToken(generator().generate(request).token);
    await counting.authenticateToken(token);
    nowMs += 61_000;
    await counting.authenticateToken(token);
    expect([metrics.valid.value, metrics.stale.value, metrics.legacy.value]).to.deep.equal([1, 1, 0]);
  });

  describe('in Secrets', () => {
    const legacy = (used: unknown[] = [], metrics?: ServiceAccountTokenMetrics) =>
      legacyServiceAccountTokenAuthenticator({
        keys: [verificationKey(pair.publicKey)],
        apiAudiences: [issuer],
        getter,
        clock,
        lookup: true,
        onUsed: (secret) => used.push(secret),
        metrics,
      });
    const token = signJWT(
      { ...legacyClaims({ namespace: 'ns', name: 's' }, { name: 'robot', uid: 'uid-1' }), iss: LEGACY_ISSUER },
      signingKey(pair.privateKey),
    );
    const secret = (text: string, labels = {}): KubeObject => ({
      metadata: { name: 's', namespace: 'ns', uid: 'uid-4', labels },
      data: { token: Buffer.from(text).toString('base64') },
    });

    it('are good while the Secret holds them', async () => {
      const used: unknown[] = [];
      getter.objects.set('secrets/s', secret(token));
      expect(await outcome(() => legacy(used).authenticateToken(token))).to.have.nested.property(
        'user.name',
        'system:serviceaccount:ns:robot',
      );
      expect(used).to.deep.equal([{ namespace: 'ns', name: 's' }]);
    });
    it('are counted by who made the Secret, and where they are marked', async () => {
      const metrics = new ServiceAccountTokenMetrics(new MetricRegistry());
      const use = () => outcome(() => legacy([], metrics).authenticateToken(token));
      getter.objects.set('secrets/s', secret(token));
      await use();
      getter.objects.set('serviceaccounts/robot', { ...account, secrets: [{ name: 's' }] });
      await use();
      await use();
      getter.objects.set('secrets/s', secret(token, { 'kubernetes.io/legacy-token-invalid-since': '2030-01-01' }));
      await use();
      const { legacy: all, legacyAuto, legacyInvalid, legacyManual } = metrics;
      expect([all, legacyManual, legacyAuto, legacyInvalid].map(({ value }) => value)).to.deep.equal([4, 1, 2, 1]);
    });
    it('are refused when the Secret is gone, differs or is marked', async () => {
      getter.objects.delete('secrets/s');
      expect(await outcome(() => legacy().authenticateToken(token))).to.equal('Token has been invalidated');
      getter.objects.set('secrets/s', secret(`${token}x`));
      expect(await outcome(() => legacy().authenticateToken(token))).to.equal("Token does not match server's copy");
      getter.objects.set('secrets/s', secret(token, { 'kubernetes.io/legacy-token-invalid-since': '2030-01-01' }));
      expect(await outcome(() => legacy().authenticateToken(token))).to.match(
        /^the token in secret ns\/s for service account ns\/robot has been marked invalid\./,
      );
    });
  });
});
