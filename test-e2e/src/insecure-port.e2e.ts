import { expect } from 'chai';
import { freePort } from '@kubechain/shared-storage/testing';
import { request } from 'node:http';
import { startChain, type Chain } from './harness/chain.ts';

interface Told {
  readonly status: number;
  readonly text: string;
}

describe('--insecure-port', () => {
  let chain: Chain;
  let port: number;
  before(async () => {
    port = await freePort();
    chain = await startChain({ flags: [`--insecure-port=${port}`] });
  });
  after(() => chain.stop());

  function call(
    path: string,
    { body, headers = {} }: { readonly body?: object; readonly headers?: Record<string, string> } = {},
  ): Promise<Told> {
    return new Promise((resolve, reject) => {
      const sent = request({
        host: '127.0.0.1',
        port,
        path,
        method: body === undefined ? 'GET' : 'POST',
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      });
      sent.on('error', reject).on('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, text });
        });
      });
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  it('lets a program of this machine do everything, as system:unsecured', async () => {
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
    const { status, text } = await call('/apis/authentication.k8s.io/v1/selfsubjectreviews', { body: review });
    expect(status, text).to.equal(201);
    expect((JSON.parse(text) as { status: unknown }).status).to.deep.equal({
      userInfo: { username: 'system:unsecured', groups: ['system:masters', 'system:authenticated'] },
    });
    expect((await call('/api/v1/secrets')).status).to.equal(200);
  });

  it('serves watches', async () => {
    const { status, text } = await call('/api/v1/namespaces?watch=1&timeoutSeconds=1');
    expect(status).to.equal(200);
    expect(text).to.contain('"ADDED"');
  });

  it('lets callers be somebody else', async () => {
    const { status } = await call('/api/v1/secrets', { headers: { 'impersonate-user': 'nobody' } });
    expect(status).to.equal(403);
  });

  it('refuses web pages', async () => {
    for (const headers of [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { host: 'evil.example' },
    ]) {
      const { status, text } = await call('/api/v1/secrets', { headers });
      expect(status, JSON.stringify(headers)).to.equal(403);
      expect(text).to.contain('no web pages');
    }
  });

  it('listens on this machine alone', async () => {
    const started = startChain({ flags: ['--insecure-port=1234', '--insecure-bind-address=0.0.0.0'] });
    const refused = await started.then(
      async (other) => `started: ${String(await other.stop())}`,
      (error: unknown) => String(error),
    );
    expect(refused).to.contain(
      'invalid argument "0.0.0.0" for "--insecure-bind-address" flag: must be an address of this machine alone',
    );
  });
});
