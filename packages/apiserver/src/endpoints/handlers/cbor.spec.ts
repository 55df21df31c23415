import { encodeCBOR, readCBOR } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { ResourceServer } from '../../testing/resource-server.ts';

const cbor = 'application/cbor';

interface Answer {
  readonly status: number;
  readonly contentType: string | null;
  readonly bytes: Buffer;
  readonly object: Record<string, unknown>;
}

describe('endpoint handlers in CBOR', () => {
  let server: ResourceServer;
  let url: string;

  const open = async (options: { readonly cbor?: boolean }): Promise<void> => {
    server = new ResourceServer(options);
    for (const [plural, kind] of [
      ['configmaps', 'ConfigMap'],
      ['secrets', 'Secret'],
    ] as const)
      server.install({
        group: '',
        plural,
        singular: kind.toLowerCase(),
        kind,
        namespaced: true,
        memoryVersion: { group: '', version: 'v1' },
      });
    url = `${await server.listen()}/api/v1`;
  };
  beforeEach(() => open({ cbor: true }));
  afterEach(() => server.close());

  const ask = async (
    method: string,
    path: string,
    { accept = cbor, body, contentType = cbor }: { accept?: string; body?: unknown; contentType?: string } = {},
  ): Promise<Answer> => {
    const response = await fetch(url + path, {
      method,
      headers: { accept, 'content-type': contentType, 'user-agent': 'spec/1.0' },
      ...(body === undefined ? {} : { body: new Uint8Array(encodeCBOR(body)) }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const type = response.headers.get('content-type');
    const object = type === cbor ? readCBOR(bytes) : type === 'application/json' ? JSON.parse(bytes.toString()) : {};
    return { status: response.status, contentType: type, bytes, object: object as Record<string, unknown> };
  };
  const maps = '/namespaces/a/configmaps';
  const configMap = (name: string, data: Record<string, string> = {}): object => ({
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name },
    data,
  });

  it('takes objects in and gives them out', async () => {
    const created = await ask('POST', maps, { body: configMap('x', { k: 'v' }) });
    expect(created).to.include({ status: 201, contentType: cbor });
    expect(created.bytes.subarray(0, 3).toString('hex')).to.equal('d9d9f7');
    expect(created.object).to.deep.include({ kind: 'ConfigMap', apiVersion: 'v1', data: { k: 'v' } });
    expect((await ask('GET', `${maps}/x`)).object).to.deep.equal(created.object);
    expect((await ask('GET', `${maps}/x`, { accept: 'application/json' })).object).to.deep.equal(created.object);
    const replaced = await ask('PUT', `${maps}/x`, { body: configMap('x', { k: 'w' }) });
    expect(replaced.object).to.deep.include({ data: { k: 'w' } });
  });

  it('gives bytes out as bytes', async () => {
    const body = { kind: 'Secret', apiVersion: 'v1', metadata: { name: 's' }, data: { a: 'aGFsbG8=' } };
    await ask('POST', '/namespaces/a/secrets', { body });
    const tagged = Buffer.from('\xd6\x45hallo', 'latin1');
    const { bytes, object } = await ask('GET', '/namespaces/a/secrets/s');
    expect(bytes.includes(tagged)).to.equal(true);
    expect(object).to.deep.include({ data: { a: 'aGFsbG8=' } });
    expect((await ask('GET', '/namespaces/a/secrets')).bytes.includes(tagged)).to.equal(true);
  });

  it('lists objects, and their metadata, and no tables', async () => {
    expect((await ask('GET', maps)).object).to.deep.include({ kind: 'ConfigMapList', items: [] });
    for (const name of ['x', 'y', 'z'])
      await ask('POST', maps, { body: configMap(name, { long: 'x'.repeat(50_000) }) });
    const { object } = await ask('GET', `${maps}?limit=2`);
    expect(object).to.deep.nested.include({ kind: 'ConfigMapList', 'metadata.remainingItemCount': 1 });
    const items = object['items'] as Record<string, unknown>[];
    expect(items.map(({ metadata }) => (metadata as { name: string }).name)).to.deep.equal(['x', 'y']);
    expect(items[0]).not.to.have.any.keys('kind', 'apiVersion');
    const meta = await ask('GET', maps, { accept: `${cbor};as=PartialObjectMetadataList;v=v1;g=meta.k8s.io` });
    expect(meta.object).to.deep.include({ kind: 'PartialObjectMetadataList' }).and.nested.include({
      'items[2].kind': 'PartialObjectMetadata',
      'items[2].metadata.name': 'z',
    });
    const table = await ask('GET', maps, { accept: `${cbor};as=Table;v=v1;g=meta.k8s.io` });
    expect(table).to.include({ status: 406, contentType: 'application/json' });
  });

  it('streams events, each an item of its own', async () => {
    await ask('POST', maps, { body: configMap('x') });
    const watched = `${maps}?watch=1&resourceVersion=0&timeoutSeconds=1`;
    const { bytes, contentType } = await ask('GET', watched);
    expect(contentType).to.equal('application/cbor-seq');
    expect(readCBOR(bytes)).to.deep.nested.include({ type: 'ADDED', 'object.metadata.name': 'x' });
    const refused = await ask('GET', watched, { accept: 'application/cbor-seq' });
    expect(refused).to.include({ status: 406, contentType: 'application/json' });
    const yaml = await ask('GET', watched, { accept: 'application/yaml' });
    expect(yaml.bytes.toString().replaceAll(/\s+/g, ' ')).to.contain(
      'application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch, application/cbor-seq',
    );
  });

  it('applies, and takes no other patch', async () => {
    const path = `${maps}/x?fieldManager=m`;
    const contentType = 'application/apply-patch+cbor';
    const applied = await ask('PATCH', path, { contentType, body: configMap('x', { k: 'v' }) });
    expect(applied.status).to.equal(201);
    expect(applied.object).to.nested.include({ 'metadata.managedFields[0].operation': 'Apply' });
    expect((await ask('PATCH', path, { contentType, body: [] })).object).to.include({
      code: 400,
      message: 'error decoding YAML: cbor: cannot unmarshal array into Go value of type map[string]interface {}',
    });
    expect(await ask('PATCH', path, { body: {} })).to.include({ status: 415, contentType: 'application/json' });
  });

  it('reads options of deletions', async () => {
    await ask('POST', maps, { body: configMap('x') });
    const { object } = await ask('DELETE', `${maps}/x`, { body: { propagationPolicy: 'Foreground' } });
    expect(object).to.have.nested.property('metadata.finalizers[0]', 'foregroundDeletion');
    expect((await ask('DELETE', `${maps}/x`, { body: { gracePeriodSeconds: 'x' } })).object).to.include({
      message:
        'cbor: cannot unmarshal byte string into Go struct field v1.DeleteOptions.gracePeriodSeconds of type int64',
    });
  });

  it('answers errors and documents of versions in CBOR', async () => {
    expect(await ask('GET', `${maps}/nope`)).to.deep.include({ status: 404, contentType: cbor });
    expect(await ask('GET', '')).to.include({ status: 200, contentType: cbor });
  });

  it('offers none of it without the gate', async () => {
    await server.close();
    await open({});
    expect(await ask('GET', maps)).to.include({ status: 406, contentType: 'application/json' });
    const refused = await ask('POST', maps, { body: configMap('x'), accept: 'application/json' });
    expect(refused.object).to.include({ code: 415 });
    const contentType = 'application/apply-patch+cbor';
    const accept = 'application/json';
    const patch = await ask('PATCH', `${maps}/x?fieldManager=m`, { contentType, accept, body: configMap('x') });
    expect(patch.status).to.equal(415);
    expect((await ask('GET', '')).status).to.equal(406);
  });
});
