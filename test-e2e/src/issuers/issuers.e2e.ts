import { expect } from 'chai';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startChain, type Chain } from '../harness/chain.ts';
import { Client, type Identity } from '../harness/client.ts';
import { Provider } from './provider.ts';
import { comparable, configure, makeTokens, type Step } from './steps.ts';

/** A step, and what kube-apiserver 1.36 with the same files answered it. */
interface Recorded extends Step {
  readonly answer: { readonly code: number; readonly body?: unknown };
}

const recorded = JSON.parse(readFileSync(join(import.meta.dirname, 'recorded.json'), 'utf8')) as readonly Recorded[];

describe('issuers of tokens and authorizers of files', () => {
  let chain: Chain;
  let client: Client;
  let folder: string;
  let provider: Provider;
  let tokens: ReadonlyMap<string, string>;

  const as = (name: string | undefined): Identity => {
    const token = name === undefined ? undefined : tokens.get(name);
    return token === undefined ? { kind: 'anonymous' } : { kind: 'token', token };
  };
  const codeOf = async (name: string): Promise<number> => (await client.call('GET', '/api', { as: as(name) })).status;
  const until = async (name: string, code: number): Promise<number> => {
    let found = await codeOf(name);
    for (let i = 0; i < 150 && found !== code; i++) {
      await delay(100);
      found = await codeOf(name);
    }
    return found;
  };

  before(async function () {
    this.timeout(120_000);
    folder = mkdtempSync(join(tmpdir(), 'kubechain-issuers-'));
    provider = await Provider.start();
    const flags = configure(provider, folder);
    tokens = await makeTokens(provider);
    chain = await startChain({ flags });
    client = Client.fromKubeconfig(chain.kubeconfig);
    expect(await until('c', 200)).to.equal(200);
  });
  after(async () => {
    await chain.stop();
    provider.stop();
    rmSync(folder, { recursive: true });
  });

  for (const [i, { answer, body, method, path, token }] of recorded.entries()) {
    const named = /TOKEN ([\w-]+)/.exec(JSON.stringify(body) ?? '')?.[1];
    const who = `as ${token ?? 'nobody'}${named === undefined ? '' : ` about ${named}`}`;
    it(`${i + 1}: ${method} ${path} ${who}, as kube-apiserver answers it`, async () => {
      const text = JSON.stringify(body)?.replace(/TOKEN ([\w-]+)/, (_, name: string) => tokens.get(name) ?? '');
      const got = await client.call(method, path, {
        ...(text === undefined
          ? {}
          : { body: JSON.parse(text) as unknown, headers: { 'content-type': 'application/json' } }),
        as: as(token),
      });
      expect({
        code: got.status,
        ...(answer.body === undefined ? {} : { body: comparable(got.body ?? got.text, provider.port) }),
      }).to.deep.equal(answer);
    });
  }

  it('keys that an issuer adds are known with the first token that they sign', async () => {
    await provider.addKey('three', 'PS512');
    const { token } = await newToken('dora', 'three');
    expect((await client.call('GET', '/api', { as: { kind: 'token', token } })).status).to.equal(200);
  });

  it('issuers change with the file, and stay while it is wrong', async function () {
    this.timeout(60_000);
    const file = join(folder, 'authentication.json');
    const configuration = JSON.parse(readFileSync(file, 'utf8')) as { jwt: unknown[]; anonymous: unknown };
    writeFileSync(file, '{');
    writeFileSync(file, JSON.stringify({ ...configuration, jwt: configuration.jwt.slice(0, 2) }));
    // What is known of a token is believed for ten seconds.
    const { token } = await newToken('emil');
    for (let i = 0; i < 100; i++) {
      const { token: another } = await newToken(`emil-${i}`);
      if ((await client.call('GET', '/api', { as: { kind: 'token', token: another } })).status === 401) break;
      await delay(100);
    }
    expect((await client.call('GET', '/api', { as: { kind: 'token', token } })).status).to.equal(401);
    expect(await codeOf('a')).to.equal(200);
    const metrics = (await client.call('GET', '/metrics', { as: as('admin') })).text.split('\n');
    const series = (name: string, ...labels: readonly string[]): readonly string[] =>
      metrics.filter((line) => line.startsWith(`${name}{`) && labels.every((label) => line.includes(label)));
    const reloads = 'apiserver_authentication_config_controller_automatic_reloads_total';
    expect(series(reloads, 'status="success"')).to.have.length(1);
    const latency = 'apiserver_authentication_jwt_authenticator_latency_seconds_count';
    expect(series(latency, 'result="success"')).to.have.length(3);
    const conditions = 'apiserver_authorization_match_condition_exclusions_total';
    expect(series(conditions, 'name="deny.example"', 'type="Webhook"')).to.have.length(1);
    const decisions = 'apiserver_authorization_decisions_total';
    expect(series(decisions, 'decision="denied"', 'name="fail-closed"')).to.have.length(1);
  });

  async function newToken(sub: string, kid?: string): Promise<{ readonly token: string }> {
    const claims = { iss: `https://localhost:${provider.port}/c`, aud: 'kubernetes', sub, exp: 4_000_000_000 };
    return { token: await provider.sign(claims, kid) };
  }
});
