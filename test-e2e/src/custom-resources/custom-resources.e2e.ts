import { expect } from 'chai';
import { startChain, type Chain } from '../harness/chain.ts';
import { Client, type WatchStream } from '../harness/client.ts';

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const boats = '/apis/sea.example.com/v1/namespaces/default/boats';
const schema = {
  openAPIV3Schema: {
    type: 'object',
    properties: { spec: { type: 'object', properties: { oars: { type: 'integer', minimum: 1 } } } },
  },
};

function definition(
  plural: string,
  {
    kind = plural,
    versions = [{ name: 'v1', served: true, storage: true, schema, subresources: { status: {} } }],
  }: { readonly kind?: string; readonly versions?: readonly object[] } = {},
): object {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.sea.example.com` },
    spec: {
      group: 'sea.example.com',
      scope: 'Namespaced',
      names: { plural, singular: plural.slice(0, -1), kind, listKind: `${kind}List` },
      versions,
    },
  };
}
const boat = (name: string, oars = 2): object => ({
  apiVersion: 'sea.example.com/v1',
  kind: 'Boat',
  metadata: { name },
  spec: { oars },
});

describe('custom resources through the chain', () => {
  let chain: Chain;
  let client: Client;

  before(async () => {
    chain = await startChain();
    client = Client.fromKubeconfig(chain.kubeconfig);
    expect((await client.call('POST', crds, { body: definition('boats', { kind: 'Boat' }) })).status).to.equal(201);
  });
  after(() => chain?.stop());

  it('are served as soon as their CRD is answered', async () => {
    expect((await client.call('POST', boats, { body: boat('argo') })).status).to.equal(201);
  });

  describe('by unusual methods', () => {
    const rows: readonly (readonly [method: string, path: string, status: number, message?: string])[] = [
      ['HEAD', boats, 200],
      ['HEAD', `${boats}/argo`, 200],
      ['HEAD', `${boats}/none`, 404],
      ['HEAD', `${boats}/argo/status`, 200],
      ['OPTIONS', boats, 405, ' is not supported on resources of kind "boats.sea.example.com"'],
      ['OPTIONS', `${boats}/argo/status`, 405, ' is not supported on resources of kind "boats.sea.example.com"'],
      ['DELETE', `${boats}/argo/status`, 405, 'delete is not supported on resources of kind "boats.sea.example.com"'],
      [
        'GET',
        '/apis/sea.example.com/v1/proxy/namespaces/default/boats/argo',
        405,
        'proxy is not supported on resources of kind "boats.sea.example.com"',
      ],
      ['PUT', boats, 400, 'name must be provided'],
      ['GET', `${boats}/argo/nothing`, 404, 'boats.sea.example.com "argo" not found'],
      ['OPTIONS', '/apis/sea.example.com/v1', 200],
      ['HEAD', '/apis/sea.example.com/v1', 200],
      ['POST', '/apis/sea.example.com', 200],
    ];
    for (const [method, path, status, message] of rows) {
      it(`${method} ${path}: ${status}`, async () => {
        const answer = await client.call(method, path, method === 'PUT' ? { body: boat('argo') } : {});
        expect(answer.status).to.equal(status);
        if (method === 'HEAD') expect(answer.text).to.equal('');
        else if (message !== undefined) expect(answer.body.message).to.equal(message);
      });
    }
  });

  describe('by the deprecated watch paths', () => {
    const first = async (path: string): Promise<string[]> => {
      const watch: WatchStream = await client.watch(path);
      await watch.atLeast(1);
      watch.close();
      return watch.events.map(({ object, type }) => `${type} ${String(object.metadata.name)}`);
    };
    for (const path of [
      '/apis/sea.example.com/v1/watch/boats',
      '/apis/sea.example.com/v1/watch/namespaces/default/boats',
      '/apis/sea.example.com/v1/watch/namespaces/default/boats/argo',
    ]) {
      it(path, async () => {
        expect(await first(path)).to.deep.equal(['ADDED argo']);
      });
    }
    it('refuses two names', async () => {
      const { body, status } = await client.call(
        'GET',
        '/apis/sea.example.com/v1/watch/namespaces/default/boats/argo?fieldSelector=metadata.name%3Dother',
      );
      expect([status, body.message]).to.deep.equal([400, "fieldSelector metadata.name doesn't match requested name"]);
    });
  });

  describe('of a CRD that changes', () => {
    const rafts = (version: string): string => `/apis/sea.example.com/${version}/namespaces/default/rafts`;
    const raft = (name: string, more: object): object => ({
      apiVersion: 'sea.example.com/v1',
      kind: 'Raft',
      metadata: { name },
      ...more,
    });
    const version = (name: string, properties: object, more: object = {}): object => ({
      name,
      served: true,
      storage: true,
      schema: { openAPIV3Schema: { type: 'object', properties } },
      ...more,
    });
    const change = async (...versions: readonly object[]): Promise<void> => {
      expect(
        (await client.patch(`${crds}/rafts.sea.example.com`, 'merge-patch', { spec: { versions } })).status,
      ).to.equal(200);
    };
    beforeEach(async () => {
      expect(
        (
          await client.post(
            crds,
            definition('rafts', { kind: 'Raft', versions: [version('v1', { size: { type: 'integer' } })] }),
          )
        ).status,
      ).to.equal(201);
      expect((await client.post(rafts('v1'), raft('one', { size: 1 }))).status).to.equal(201);
    });
    afterEach(async () => {
      expect((await client.delete(`${crds}/rafts.sea.example.com`)).status).to.equal(200);
      await eventually(async () => {
        expect((await client.get(`${crds}/rafts.sea.example.com`)).status).to.equal(404);
      });
    });

    it('are held to a new schema when they are next written', async () => {
      await change(version('v1', { size: { type: 'integer', minimum: 5 }, other: { type: 'string' } }));
      // What was wrong before may stay as it is.
      expect((await client.patch(`${rafts('v1')}/one`, 'merge-patch', { other: 'a' })).status).to.equal(200);
      expect((await client.patch(`${rafts('v1')}/one`, 'merge-patch', { size: 2 })).status).to.equal(422);
      expect((await client.post(rafts('v1'), raft('two', { size: 2 }))).status).to.equal(422);
    });

    it('stay where versions come and go', async () => {
      const v1 = version('v1', { size: { type: 'integer' } }, { storage: false });
      await change(v1, version('v2', { size: { type: 'integer' } }));
      expect((await client.get(`${rafts('v2')}/one`)).body).to.deep.include({
        apiVersion: 'sea.example.com/v2',
        size: 1,
      });
      await change(v1, version('v2', { size: { type: 'integer' } }, { served: false }));
      expect((await client.get(`${rafts('v2')}/one`)).status).to.equal(404);
      expect((await client.get(`${rafts('v1')}/one`)).body).to.deep.include({
        apiVersion: 'sea.example.com/v1',
        size: 1,
      });
      expect((await client.get(`${crds}/rafts.sea.example.com`)).body.status.storedVersions).to.deep.equal([
        'v1',
        'v2',
      ]);
    });

    it('end their watches, which begin again with the new one', async () => {
      const watch = await client.watch(`${rafts('v1')}?watch=1`);
      await watch.atLeast(1);
      await change(version('v1', { size: { type: 'integer' }, more: { type: 'string' } }));
      await watch.ended;
      const again = await client.watch(`${rafts('v1')}?watch=1`);
      await again.atLeast(1);
      again.close();
    });
  });

  it('are reached by the scope of their CRD only', async () => {
    for (const method of ['GET', 'PUT', 'DELETE'] as const)
      expect(
        (
          await client.call(
            method,
            '/apis/sea.example.com/v1/boats/argo',
            method === 'PUT' ? { body: boat('argo') } : {},
          )
        ).status,
        method,
      ).to.equal(404);
    expect((await client.post('/apis/sea.example.com/v1/boats', boat('argo'))).status).to.equal(404);
    expect((await client.get('/apis/sea.example.com/v1/boats')).status).to.equal(200);
    expect((await client.get('/apis/sea.example.com/v1/boats/argo/status')).status).to.equal(404);
  });

  it('have an APIService as long as some CRD serves their version, with accepted names or without', async () => {
    // oxlint-disable-next-line typescript/no-explicit-any -- as in the client
    const of = (version: string): Promise<{ readonly status: number; readonly body: any }> =>
      client.call('GET', `/apis/apiregistration.k8s.io/v1/apiservices/${version}.sea.example.com`);
    expect((await of('v1')).body.spec).to.deep.equal({
      group: 'sea.example.com',
      version: 'v1',
      groupPriorityMinimum: 1000,
      versionPriority: 100,
    });
    // Its kind is taken, so that it is not established.
    expect(
      (
        await client.call('POST', crds, {
          body: definition('rafts', { kind: 'Boat', versions: [{ name: 'v2', served: true, storage: true, schema }] }),
        })
      ).status,
    ).to.equal(201);
    await eventually(async () => {
      expect((await of('v2')).status).to.equal(200);
    });
    expect((await client.call('GET', '/apis/sea.example.com/v2')).status).to.equal(404);
    expect((await client.call('DELETE', `${crds}/rafts.sea.example.com`)).status).to.equal(200);
    await eventually(async () => {
      expect((await of('v2')).status).to.equal(404);
    });
    expect((await of('v1')).status).to.equal(200);
  });
});

/** Runs a check until it passes. */
async function eventually(check: () => Promise<void>): Promise<void> {
  for (const deadline = Date.now() + 60_000; ;) {
    try {
      await check();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => {
        setTimeout(resolve, 50);
      });
    }
  }
}
