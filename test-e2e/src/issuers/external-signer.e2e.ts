import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startChain, type Chain } from '../harness/chain.ts';
import { Client, type Answer } from '../harness/client.ts';
import { FakeSigner } from '../harness/fake-signer.ts';

const account = '/api/v1/namespaces/default/serviceaccounts/signed';
const chainFlags = (folder: string): string[] => [`--service-account-signing-endpoint=${join(folder, 'signer.sock')}`];

function keysOf(text: string): readonly { readonly alg: string; readonly kid: string }[] {
  return (JSON.parse(text) as { keys: { alg: string; kid: string }[] }).keys;
}

/** As kube-apiserver 1.36.2 does it with the same signer. */
describe('--service-account-signing-endpoint', () => {
  const signer = new FakeSigner();
  let folder: string;
  let chain: Chain;
  let client: Client;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kubechain-signer-'));
    await signer.listen(join(folder, 'signer.sock'));
    chain = await startChain({ flags: chainFlags(folder) });
    client = Client.fromKubeconfig(chain.kubeconfig);
    await client.until('/api/v1/namespaces/default', ({ status }) => status === 200);
    await client.post('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'signed' } });
  });
  after(async () => {
    await chain.stop();
    await signer.close();
    rmSync(folder, { recursive: true });
  });

  const request = (spec: object = {}): Promise<Answer> => client.post(`${account}/token`, { spec });
  const published = (): Promise<Answer> => client.get('/openid/v1/jwks', { headers: { Accept: '*/*' } });
  const headerOf = (token: string): unknown =>
    JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString('utf8'));
  /** Who the chain takes the token for; the first process asks the signer for keys by itself. */
  const userOf = async (token: string): Promise<unknown> => {
    const { body } = await client.call('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
      as: { kind: 'token', token },
    });
    return body?.status?.userInfo?.username ?? body?.message;
  };

  it('signs tokens there, which every server takes', async () => {
    const { body, status } = await request();
    expect(status).to.equal(201);
    expect(headerOf(body.status.token)).to.deep.equal({ alg: 'ES256', kid: 'key-1', typ: 'JWT' });
    expect(await userOf(body.status.token)).to.equal('system:serviceaccount:default:signed');
  });

  it('publishes its keys', async () => {
    const { headers, text } = await published();
    expect(keysOf(text).map(({ alg, kid }) => [kid, alg])).to.deep.equal([['key-1', 'ES256']]);
    expect(headers['cache-control']).to.match(/^public, max-age=[012]$/);
  });

  it('lets tokens live no longer than the signer does', async () => {
    const { body, headers } = await request({ expirationSeconds: 10_000 });
    expect(body.spec.expirationSeconds).to.equal(7200);
    expect(headers['warning']).to.include('requested expiration of 10000 seconds shortened to 7200 seconds');
  });

  it('learns of new keys when they are used', async () => {
    signer.addKey('key-2');
    const { body } = await request();
    expect(headerOf(body.status.token)).to.have.property('kid', 'key-2');
    expect(await userOf(body.status.token)).to.equal('system:serviceaccount:default:signed');
    for (const deadline = Date.now() + 60_000; ; await delay(100)) {
      const ids = keysOf((await published()).text).map(({ kid }) => kid);
      if (ids.length < 2 && Date.now() < deadline) continue;
      expect(ids).to.deep.equal(['key-1', 'key-2']);
      return;
    }
  });

  for (const [header, reason] of [
    [{ alg: 'ES256', kid: 'key-2' }, 'bad type'],
    [{ alg: 'ES256', typ: 'JWT' }, 'key id missing'],
    [{ alg: 'none', kid: 'key-2', typ: 'JWT' }, 'bad signing algorithm "none"'],
    [{ alg: 'ES256', kid: 'key-2', typ: 'JWT', x: 1 }, 'while parsing header JSON: json: unknown field "x"'],
  ] as const)
    it(`refuses what it signs: ${reason}`, async () => {
      signer.header = header;
      const { body, status } = await request();
      signer.header = undefined;
      expect([status, body.message]).to.deep.equal([
        500,
        `Internal error occurred: failed to generate token: while validating header: ${reason}`,
      ]);
    });

  it('signs with no key that is not published', async () => {
    signer.addKey('key-3', { excluded: true });
    const { body } = await request();
    expect(body.message).to.include('key used for signing JWT (kid: key-3) is excluded from OIDC discovery docs');
  });
});
