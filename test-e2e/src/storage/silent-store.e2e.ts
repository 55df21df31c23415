import { expect } from 'chai';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChain, type Chain } from '../harness/chain.ts';
import { Client, type Answer } from '../harness/client.ts';
import { startEmbeddedStore } from '../harness/embedded-store.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const there = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'there' } };
const read = 'Timeout: request did not complete within the allotted timeout';
const write = 'Timeout: request did not complete within requested timeout - context deadline exceeded';

/** Without an answer of the store; the message is that of kube-apiserver 1.36.2. */
const overdue: readonly (readonly [method: string, path: string, message: string, body?: object])[] = [
  ['GET', `${configMaps}/there`, read],
  ['GET', configMaps, read],
  ['GET', `${configMaps}?timeout=2s`, read],
  ['POST', configMaps, write, { ...there, metadata: { name: 'written' } }],
  ['PUT', `${configMaps}/there`, write, there],
  ['PATCH', `${configMaps}/there`, write, { data: { a: 'b' } }],
  ['DELETE', `${configMaps}/there`, write],
];
const watch = `${configMaps}?watch=true`;
const checks = ['/healthz/etcd', '/livez/etcd', '/readyz/etcd-readiness'];

/** The reference says the same once the time of a request is over: reads after 60 s, writes after 34 s. */
describe('a store that does not answer', () => {
  let chain: Chain;
  let store: Awaited<ReturnType<typeof startEmbeddedStore>>;
  let directory: string;
  const answers = new Map<string, Answer>();

  before(async function () {
    this.timeout(240_000);
    directory = await mkdtemp(join(tmpdir(), 'kubechain-e2e-'));
    store = await startEmbeddedStore(join(directory, 'etcd.db'));
    chain = await startChain({ flags: [`--etcd-servers=${store.url}`] });
    const client = Client.fromKubeconfig(chain.kubeconfig);
    await client.post(configMaps, there);
    await client.get(configMaps);
    store.signal('SIGSTOP');
    const ask = async (method: string, path: string, body?: object): Promise<void> => {
      const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
      const sent = body === undefined ? {} : { body, headers: { 'content-type': type } };
      answers.set(`${method} ${path}`, await client.call(method, path, { ...sent, timeoutMs: 120_000 }));
    };
    await Promise.all([
      ...overdue.map(([method, path, , body]) => ask(method, path, body)),
      ...[watch, ...checks, '/livez?verbose'].map((path) => ask('GET', path)),
    ]);
  });
  after(async () => {
    store.signal('SIGCONT');
    await chain.stop();
    await store.stop();
    await rm(directory, { recursive: true });
  });

  for (const [method, path, message] of overdue) {
    it(`answers ${method} ${path} as a request whose time is over`, () => {
      const answer = answers.get(`${method} ${path}`);
      expect(answer?.status).to.equal(504);
      expect(JSON.parse(answer?.text ?? '')).to.include({ reason: 'Timeout', message });
    });
  }

  it('ends a watch of the newest state with an event', () => {
    const answer = answers.get(`GET ${watch}`);
    expect(answer?.status).to.equal(200);
    expect(JSON.parse(answer?.text ?? '')).to.deep.equal({
      type: 'ERROR',
      object: {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'context deadline exceeded',
        reason: 'InternalError',
        code: 500,
      },
    });
  });

  for (const path of checks) {
    it(`tells why ${path} fails`, () => {
      expect(answers.get(`GET ${path}`)?.text).to.equal(
        'internal server error: error getting data from etcd: context deadline exceeded\n',
      );
    });
  }

  it('tells of the checks of the servers behind, too', () => {
    const text = answers.get('GET /livez?verbose')?.text;
    expect(text).to.match(/^\[-\]etcd failed: reason withheld$/m);
    expect(text).to.match(/^\[\+\]poststarthook\/start-apiextensions-controllers ok$/m);
  });
});
