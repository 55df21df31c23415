import {
  builtinScheme,
  createScheme,
  decodeProtobuf,
  decodeWatchFrame,
  encodeProtobuf,
  schemaFor,
} from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { ResourceServer } from '../../testing/resource-server.ts';

const protobuf = 'application/vnd.kubernetes.protobuf';

describe('endpoint handlers in protobuf', () => {
  const scheme = builtinScheme();
  /** What clients know besides: the forms of answers. */
  const clientScheme = createScheme({
    kinds: [
      ...scheme.kinds(),
      ...['PartialObjectMetadata', 'PartialObjectMetadataList'].map((kind) => ({
        gvk: { group: 'meta.k8s.io', version: 'v1', kind },
        schema: schemaFor(`io.k8s.apimachinery.pkg.apis.meta.v1.${kind}`),
        goType: `v1.${kind}`,
      })),
    ],
  });
  let server: ResourceServer;
  let url: string;

  beforeEach(async () => {
    server = new ResourceServer();
    server.install({
      group: '',
      plural: 'configmaps',
      singular: 'configmap',
      kind: 'ConfigMap',
      namespaced: true,
      memoryVersion: { group: '', version: 'v1' },
    });
    url = `${await server.listen()}/api/v1/namespaces/a/configmaps`;
  });
  afterEach(() => server.close());

  const encode = (object: KubeObject): Uint8Array<ArrayBuffer> | string => {
    const kind = scheme.kind({ group: '', version: 'v1', kind: object.kind ?? '' });
    if (kind === undefined) throw new RangeError(`${String(object.kind)} is not a core kind`);
    return new Uint8Array(encodeProtobuf(object, kind.schema));
  };
  const ask = async (
    method: string,
    path: string,
    accept = protobuf,
    body?: Uint8Array<ArrayBuffer> | string,
  ): Promise<{ status: number; contentType: string | null; object: KubeObject }> => {
    const response = await fetch(url + path, {
      method,
      headers: { accept, 'content-type': protobuf, 'user-agent': 'spec/1.0' },
      ...(body === undefined ? {} : { body }),
    });
    const { object } = decodeProtobuf(new Uint8Array(await response.arrayBuffer()), undefined, {
      scheme: clientScheme,
    });
    return { status: response.status, contentType: response.headers.get('content-type'), object };
  };
  const configMap = (name: string, data: Record<string, string>): Uint8Array<ArrayBuffer> | string =>
    encode({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name }, data });

  it('takes objects in and gives them out', async () => {
    const created = await ask('POST', '', protobuf, configMap('x', { k: 'v' }));
    expect(created).to.include({ status: 201, contentType: protobuf });
    expect(created.object).to.deep.include({ kind: 'ConfigMap', apiVersion: 'v1', data: { k: 'v' } });
    expect(created.object).to.have.nested.property('metadata.managedFields[0].manager', 'spec');
    const { object } = await ask('GET', '/x');
    expect(object).to.deep.equal(created.object);
    expect(await (await fetch(`${url}/x`)).json()).to.deep.include({ data: { k: 'v' } });
  });

  it('joins lists out of messages', async () => {
    const empty = await ask('GET', '');
    expect(empty.object).to.deep.include({ kind: 'ConfigMapList', apiVersion: 'v1' });
    const long = 'x'.repeat(100_000);
    for (const name of ['x', 'y', 'z']) await ask('POST', '', protobuf, configMap(name, { name, long }));
    const { contentType, object } = await ask('GET', '?limit=2');
    expect(contentType).to.equal(protobuf);
    expect(object).to.deep.nested.include({
      'items[0].data': { name: 'x', long },
      'items[1].data': { name: 'y', long },
      'metadata.remainingItemCount': 1,
    });
    expect(object.metadata?.resourceVersion).to.match(/^\d+$/);
    expect(object['items']).to.have.length(2);
  });

  it('gives errors, deletions and metadata alone', async () => {
    expect((await ask('GET', '/missing')).object).to.deep.include({
      kind: 'Status',
      message: 'configmaps "missing" not found',
      code: 404,
    });
    await ask('POST', '', protobuf, configMap('x', { k: 'v' }));
    const metadata = await ask('GET', '/x', `${protobuf};as=PartialObjectMetadata;v=v1;g=meta.k8s.io`);
    expect(metadata.object)
      .to.include({ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' })
      .and.not.have.property('data');
    const list = await ask('GET', '', `${protobuf};as=PartialObjectMetadataList;v=v1;g=meta.k8s.io`);
    expect(list.object).to.have.nested.property('items[0].metadata.name', 'x');
    const options = encode({ kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid: 'other' } });
    expect((await ask('DELETE', '/x', protobuf, options)).object).to.include({ kind: 'Status', code: 409 });
    expect((await ask('DELETE', '/x')).object).to.include({ kind: 'Status', status: 'Success' });
  });

  it('joins metadata into the same bytes as of the whole list', async () => {
    for (const name of ['x', 'y']) await ask('POST', '', protobuf, configMap(name, { name }));
    const form = 'as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
    const get = async (type: string): Promise<Uint8Array> =>
      new Uint8Array(await (await fetch(`${url}?limit=1`, { headers: { accept: `${type};${form}` } })).arrayBuffer());
    const whole = JSON.parse(Buffer.from(await get('application/json')).toString()) as KubeObject;
    const schema = schemaFor('io.k8s.apimachinery.pkg.apis.meta.v1.PartialObjectMetadataList');
    for (const time of ['first', 'again'])
      expect(Buffer.from(await get(protobuf)).equals(encodeProtobuf(whole, schema)), time).to.equal(true);
  });

  it('refuses bodies that are no objects', async () => {
    const { object, status } = await ask('POST', '', protobuf, 'k8s\0nonsense');
    expect(status).to.equal(400);
    expect(object['message'])
      .to.be.a('string')
      .and.include('the object provided is unrecognized (must be of type ConfigMap)');
  });

  it('frames watch events', async () => {
    const gone = new AbortController();
    const read = async (accept: string): Promise<() => Promise<{ type: string; object: KubeObject }>> => {
      const response = await fetch(`${url}?watch=1&resourceVersion=0`, { headers: { accept }, signal: gone.signal });
      expect(response.headers.get('content-type')).to.equal(`${protobuf};stream=watch`);
      const chunks = response.body?.getReader();
      let rest = Buffer.alloc(0);
      return async () => {
        for (;;) {
          const found = decodeWatchFrame(rest);
          if (found !== undefined) {
            rest = rest.subarray(found.next);
            return {
              type: found.frame.type,
              object: decodeProtobuf(found.frame.object, undefined, { scheme: clientScheme }).object,
            };
          }
          const chunk = await chunks?.read();
          if (chunk?.value === undefined) throw new RangeError('the stream has ended');
          rest = Buffer.concat([rest, chunk.value]);
        }
      };
    };
    await ask('POST', '', protobuf, configMap('x', { k: 'v' }));
    const [objects, again, metadata] = await Promise.all([
      read(`${protobuf};stream=watch`),
      read(protobuf),
      read(`${protobuf};as=PartialObjectMetadata;v=v1;g=meta.k8s.io`),
    ]);
    for (const next of [objects, again])
      expect(await next()).to.deep.nested.include({
        type: 'ADDED',
        'object.kind': 'ConfigMap',
        'object.data': { k: 'v' },
      });
    expect(await metadata()).to.nested.include({
      type: 'ADDED',
      'object.kind': 'PartialObjectMetadata',
      'object.metadata.name': 'x',
    });
    await ask('DELETE', '/x');
    for (const next of [objects, again])
      expect(await next()).to.deep.nested.include({ type: 'DELETED', 'object.data': { k: 'v' } });
    gone.abort();
  });
});

describe('a list in protobuf that is too large to be kept', () => {
  it('is made again beyond protobufKept while it is sent, of the size that was told', async function large() {
    this.timeout(120_000);
    const server = new ResourceServer();
    server.install({
      group: '',
      plural: 'configmaps',
      singular: 'configmap',
      kind: 'ConfigMap',
      namespaced: true,
      memoryVersion: { group: '', version: 'v1' },
    });
    const url = `${await server.listen()}/api/v1/namespaces/a/configmaps`;
    const text = 'x'.repeat(1_000_000);
    for (let i = 10; i < 50; i++)
      await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ metadata: { name: `c${i}` }, data: { text } }),
      });
    const answer = await fetch(url, { headers: { accept: protobuf, 'accept-encoding': 'identity' } });
    const body = new Uint8Array(await answer.arrayBuffer());
    expect(Number(answer.headers.get('content-length')))
      .to.equal(body.length)
      .and.to.be.greaterThan(40_000_000);
    const { object } = decodeProtobuf(body, undefined, { scheme: builtinScheme() });
    const items = object['items'] as { readonly metadata: { readonly name: string }; readonly data: object }[];
    expect(items.map(({ metadata }) => metadata.name)).to.deep.equal(
      Array.from({ length: 40 }, (_, i) => `c${i + 10}`),
    );
    expect(items.every(({ data }) => (data as Record<string, string>)['text'] === text)).to.equal(true);
    await server.close();
  });
});
