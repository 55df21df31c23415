import { encodeCBOR, isCBOR, readCBOR } from '@kubechain/apimachinery';
import { createEtcdClient } from '@kubechain/shared-storage/etcd';
import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChain, type Chain } from '../harness/chain.ts';
import { Client, type Answer } from '../harness/client.ts';

const cbor = 'application/cbor';
const notes = '/apis/example.com/v1/namespaces/default/notes';
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'notes.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'notes', singular: 'note', kind: 'Note' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

describe('CBORServingAndStorage', () => {
  let dataDir: string;
  let chain: Chain;
  let client: Client;

  const open = async (gate: boolean): Promise<void> => {
    chain = await startChain({ dataDir, flags: [`--feature-gates=CBORServingAndStorage=${gate}`] });
    client = Client.fromKubeconfig(chain.kubeconfig);
  };
  const close = async (): Promise<void> => {
    client.close();
    await chain.stop();
  };
  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'kubechain-cbor-'));
    await open(true);
  });
  after(async () => {
    await close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const call = (method: string, path: string, body?: unknown, contentType = cbor): Promise<Answer> =>
    client.call(method, path, {
      headers: { accept: cbor, 'content-type': contentType },
      ...(body === undefined ? {} : { body: encodeCBOR(body) }),
    });
  const read = ({ bytes }: Answer): Record<string, unknown> => readCBOR(bytes) as Record<string, unknown>;
  const stored = async (name: string): Promise<Buffer> => {
    const etcd = createEtcdClient({ endpoints: [`unix:${join(chain.dataDir, 'run/etcd.sock')}`] });
    try {
      const { kvs } = await etcd.range({ key: `/registry/example.com/notes/default/${name}` });
      return kvs[0]!.value;
    } finally {
      await etcd.close();
    }
  };
  const note = (name: string, n: unknown): object => ({
    apiVersion: 'example.com/v1',
    kind: 'Note',
    metadata: { name },
    spec: { n },
  });

  it('serves custom and built-in objects through all servers, and stores custom ones as CBOR', async () => {
    expect((await call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)).status).to.equal(
      201,
    );
    await client.until(notes, ({ status }) => status === 200);
    const created = await call('POST', notes, note('a', [1, 1.5, 2 ** 40, null, 'x']));
    expect(created.status).to.equal(201);
    expect(created.headers['content-type']).to.equal(cbor);
    expect(read(created)['spec']).to.deep.equal({ n: [1, 1.5, 2 ** 40, null, 'x'] });
    expect(isCBOR(await stored('a'))).to.equal(true);
    const applied = await call('PATCH', `${notes}/b?fieldManager=m`, note('b', 1), 'application/apply-patch+cbor');
    expect(applied.status).to.equal(201);
    const list = await call('GET', notes);
    expect(read(list)['items']).to.have.lengthOf(2);
    const watch = await call('GET', `${notes}?watch=1&timeoutSeconds=1`);
    expect(watch.headers['content-type']).to.equal('application/cbor-seq');
    expect(watch.bytes.toString('latin1').split('\xd9\xd9\xf7\xa2')).to.have.lengthOf(3);
    expect(read(await call('GET', '/apis/apiregistration.k8s.io/v1/apiservices/v1.apps'))['kind']).to.equal(
      'APIService',
    );
    expect(read(await call('GET', `${notes}/nope`))).to.include({ code: 404 });
    const { body } = await client.get('/openapi/v3/apis/apps/v1');
    expect(body.paths['/apis/apps/v1/deployments'].get.responses['200'].content).to.include.keys(
      cbor,
      'application/cbor-seq',
    );
  });

  it('reads what is stored in either form when it is off, and when it is on again', async () => {
    await close();
    await open(false);
    await client.until(notes, ({ status }) => status === 200);
    expect((await client.get(`${notes}/a`)).body.spec).to.deep.equal({ n: [1, 1.5, 2 ** 40, null, 'x'] });
    expect((await call('GET', `${notes}/a`)).status).to.equal(406);
    expect((await client.post(notes, note('json', 2))).status).to.equal(201);
    expect((await stored('json')).toString()).to.match(/^\{/);
    await client.patch(`${notes}/b`, 'merge-patch', { spec: { n: 3 } });
    expect(isCBOR(await stored('b'))).to.equal(false);
    await close();
    await open(true);
    await client.until(notes, ({ status }) => status === 200);
    const items = read(await call('GET', notes))['items'] as { metadata: { name: string }; spec: { n: unknown } }[];
    expect(items.map(({ metadata, spec }) => [metadata.name, spec.n])).to.deep.equal([
      ['a', [1, 1.5, 2 ** 40, null, 'x']],
      ['b', 3],
      ['json', 2],
    ]);
  });
});
