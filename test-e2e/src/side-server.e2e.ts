import { expect } from 'chai';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChain, type Chain } from './harness/chain.ts';
import { Client } from './harness/client.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const wides = '/apis/example.com/v1/namespaces/default/wides';

/** More values than the thread works on that serves everybody; small enough to be stored. */
const many = Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`k${i}`, '']));

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'wides.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'wides', singular: 'wide', kind: 'Wide' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { data: { type: 'object', additionalProperties: { type: 'string' } } },
          },
        },
      },
    ],
  },
};

interface Kept {
  readonly metadata: { readonly resourceVersion: string };
  readonly data: Readonly<Record<string, string>>;
}

describe('objects of very many values', function () {
  this.timeout(180_000);
  let chain: Chain;
  let client: Client;
  let folder: string;
  /** How many requests the servers have had answered by their side servers. */
  const aside = (): number =>
    ['aggregator', 'kube-apiserver', 'apiextensions']
      .map((name) => readFileSync(join(chain.dataDir, 'logs', `${name}.log`), 'utf8'))
      .join('')
      .match(/delegate="?side server/g)?.length ?? 0;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kubechain-audited-'));
    const policy = join(folder, 'policy.json');
    writeFileSync(
      policy,
      JSON.stringify({
        kind: 'Policy',
        apiVersion: 'audit.k8s.io/v1',
        rules: [
          { level: 'RequestResponse', resources: [{ group: '', resources: ['configmaps'] }], namespaces: ['audited'] },
          { level: 'None' },
        ],
      }),
    );
    chain = await startChain({
      flags: ['-v=3', `--audit-policy-file=${policy}`, `--audit-log-path=${join(folder, 'audit.log')}`],
    });
    client = Client.fromKubeconfig(chain.kubeconfig);
    await client.post(definitions, definition);
    for (let found = 0; found !== 200;) found = (await client.get(wides)).status;
  });
  after(async () => {
    await chain.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const [kind, path, apiVersion] of [
    ['ConfigMap', configMaps, 'v1'],
    ['Wide', wides, 'example.com/v1'],
  ] as const)
    it(`are created, read and changed by a thread beside the one that serves everybody: ${kind}`, async () => {
      const before = aside();
      const created = await client.post(path, { apiVersion, kind, metadata: { name: 'many' }, data: many });
      expect(created.status).to.equal(201);
      const { metadata } = created.body as Kept;
      const read = (await client.get(`${path}/many`)).body as Kept;
      expect(read.metadata).to.deep.equal(metadata);
      expect(Object.keys(read.data)).to.have.length(60_000);

      const patch = { body: { data: { added: 'yes' } }, headers: { 'content-type': 'application/merge-patch+json' } };
      const patched = await client.call('PATCH', `${path}/many`, patch);
      expect(patched.status).to.equal(200);
      expect((patched.body as Kept).data['added']).to.equal('yes');
      // Both are served at once what either has written.
      const again = (await client.get(`${path}/many`)).body as Kept;
      expect(again.metadata.resourceVersion).to.equal((patched.body as Kept).metadata.resourceVersion);
      expect((await client.call('DELETE', `${path}/many`)).status).to.equal(200);
      expect((await client.get(`${path}/many`)).status).to.equal(404);
      expect(aside() - before).to.be.greaterThanOrEqual(2);
    });

  it('are recorded by whoever answers, as other requests are', async () => {
    const before = aside();
    await client.post('/api/v1/namespaces', { metadata: { name: 'audited' } });
    const object = { metadata: { name: 'many' }, data: many };
    const path = '/api/v1/namespaces/audited/configmaps';
    const created = await client.post(path, object);
    expect(created.status).to.equal(201);
    expect(aside()).to.be.greaterThan(before);
    let events: { readonly stage: string; readonly auditID: string; readonly requestObject?: unknown }[] = [];
    for (let tries = 0; events.length < 2 && tries < 300; tries++) {
      await new Promise((go) => setTimeout(go, 100));
      events = readFileSync(join(folder, 'audit.log'), 'utf8')
        .split('\n')
        // The last one may still be being written.
        .slice(0, -1)
        .filter((line) => line.includes(`"requestURI":"${path}"`))
        .map((line) => JSON.parse(line) as (typeof events)[number]);
    }
    expect(events.map(({ stage }) => stage)).to.deep.equal(['RequestReceived', 'ResponseComplete']);
    expect(events[0]?.auditID).to.equal(events[1]?.auditID);
    const [, recorded] = events as { readonly requestObject?: Kept; readonly responseObject?: Kept }[];
    expect(recorded).to.have.nested.property('user.username', 'kubernetes-admin');
    expect(recorded?.responseObject).to.deep.equal(created.body);
    expect(Object.keys(recorded?.requestObject?.data ?? {})).to.have.length(60_000);
  });

  it('are refused there as well, by each server for what is its own', async () => {
    const before = aside();
    const refused = await client.post('/apis/apiregistration.k8s.io/v1/apiservices', {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: 'v1.many.example.com', labels: many },
      spec: { group: 'other.example.com', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 },
    });
    expect(refused.status).to.equal(422);
    expect(refused.body.message).to.include('metadata.name');
    for (let tries = 0; aside() === before && tries < 100; tries++) await new Promise((go) => setTimeout(go, 100));
    expect(aside()).to.equal(before + 1);
  });
});
