import { expect } from 'chai';
import { builtinScheme } from '@kubechain/apimachinery';
import type { JSONValue, KubeObject } from '@kubechain/apimachinery';
import type { AdmissionAttributes, AdmissionChain, AdmissionPlugin } from '../../admission/admission.ts';
import { createAdmissionChain } from '../../admission/chain.ts';
import { mostBytesHere, mostValuesHere, type BegunExchange, type SideServer } from '../../request/side-server.ts';
import { createResource } from '../../registry/generic/create-resource.ts';
import { ResourceServer } from '../../testing/resource-server.ts';

/** How an admission plugin makes an object of what it has. */
type Read = (attributes: AdmissionAttributes, large: object) => Promise<KubeObject>;

describe('requests for the side server', () => {
  let server: ResourceServer;
  let url: string;
  /** Whether it answers. */
  let takes: boolean;
  /** What it was asked, with the length of the body where that has been read. */
  let asked: string[];

  const side: SideServer = {
    takes: ({ body, request, response }: BegunExchange) => {
      asked.push(`${request.method ?? ''} ${body?.length ?? 'unread'}`);
      if (takes) response.writeHead(299).end('aside');
      return Promise.resolve(takes);
    },
  };
  const path = '/api/v1/namespaces/a/configmaps';
  const ask = async (
    method: string,
    name: string,
    { body, headers }: { readonly body?: string; readonly headers?: Record<string, string> } = {},
  ): Promise<{ readonly status: number; readonly text: string }> => {
    const response = await fetch(url + path + name, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body }),
    });
    return { status: response.status, text: await response.text() };
  };
  /** A config map with so many values. */
  const made = (name: string, values: number): string =>
    JSON.stringify({
      metadata: { name },
      data: Object.fromEntries(Array.from({ length: values }, (_, i) => [`key-${i}`, ''])),
    });
  const merge = { 'content-type': 'application/merge-patch+json' };
  const asTable = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };

  const serve = async (admission?: AdmissionChain): Promise<void> => {
    server = new ResourceServer({ sideServer: side, ...(admission === undefined ? {} : { admission }) });
    server.install({
      group: '',
      memoryVersion: { group: '', version: 'v1' },
      kind: 'ConfigMap',
      plural: 'configmaps',
      singular: 'configmap',
      namespaced: true,
    });
    url = await server.listen();
  };

  beforeEach(async () => {
    takes = true;
    asked = [];
    await serve();
  });
  afterEach(() => server.close());

  it('are those whose bodies have very many values, whatever they do', async () => {
    const many = made('many', mostValuesHere);
    for (const [method, name, headers] of [
      ['POST', '', {}],
      ['PUT', '/many', {}],
      ['PATCH', '/many', merge],
      ['DELETE', '/many', {}],
    ] as const)
      expect((await ask(method, name, { body: many, headers })).text, method).to.equal('aside');
    expect(asked).to.deep.equal(['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => `${method} ${many.length}`));
  });

  it('are answered where everybody is served when it does not take them', async () => {
    takes = false;
    expect((await ask('POST', '', { body: made('many', mostValuesHere) })).status).to.equal(201);
    expect((await ask('PATCH', '/many', { body: '{"data":{"a":"b"}}', headers: merge })).status).to.equal(200);
    expect(asked).to.have.length(2);
  });

  it('are those whose bodies have very many bytes', async () => {
    const body = JSON.stringify({ metadata: { name: 'long' }, data: { text: 'a'.repeat(mostBytesHere) } });
    expect((await ask('POST', '', { body })).text).to.equal('aside');
  });

  it('are those whose objects the defaults of a definition make very large', async () => {
    const [group, version] = ['', 'v1'];
    const storage = createResource(
      {
        scheme: builtinScheme(),
        group,
        memoryVersion: { group, version },
        kind: 'ConfigMap',
        plural: 'things',
        singular: 'thing',
        namespaced: true,
      },
      server.restOptions,
    );
    let defaults = 0;
    const scheme = builtinScheme().withDefaulters([
      {
        gvk: { group, version, kind: 'ConfigMap' },
        apply: (object) => {
          object['data'] ??= Object.fromEntries(Array.from({ length: defaults }, (_, i) => [`key-${i}`, '']));
        },
      },
    ]);
    server.installer.installResources([{ group, version, path: 'things', storage, scheme, custom: true }]);
    const send = async (method: string, name: string, body: object): Promise<number> => {
      const headers = { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' };
      const target = `${url}/api/v1/namespaces/a/things${name}`;
      return (await fetch(target, { method, headers, body: JSON.stringify(body) })).status;
    };
    expect(await send('POST', '', { metadata: { name: 'small' } })).to.equal(201);
    defaults = mostValuesHere + 1;
    expect(await send('POST', '', { metadata: { name: 'large' } })).to.equal(299);
    expect(await send('PUT', '/small', { metadata: { name: 'small' } })).to.equal(299);
    expect(await send('PATCH', '/small', { data: null })).to.equal(299);
    expect(asked).to.have.length(3);
  });

  it('are not those of large bodies with few values', async () => {
    const body = JSON.stringify({ metadata: { name: 'long' }, data: { text: ',{['.repeat(200_000) } });
    expect((await ask('POST', '', { body })).status).to.equal(201);
    expect(asked).to.deep.equal([]);
  });

  for (const [what, reads] of [
    ['what webhooks write', ({ kind, objects }, large) => objects.decode(JSON.stringify(large), kind)],
    ['what policies make', ({ kind, objects }, large) => objects.read(large as JSONValue, kind)],
  ] as readonly (readonly [string, Read])[])
    it(`are those whose objects admission makes very large, from their beginning: ${what}`, async () => {
      const made: string[] = [];
      const grows: AdmissionPlugin = {
        name: 'Grows',
        handles: () => true,
        admit: async (attributes) => {
          made.push(attributes.name);
          if (attributes.object?.['data'] !== undefined) return;
          const large = { ...attributes.object, data: { text: 'a'.repeat(mostBytesHere) } };
          attributes.object = await reads(attributes, large);
        },
      };
      await server.close();
      await serve(createAdmissionChain([grows]));
      expect((await ask('POST', '', { body: '{"metadata":{"name":"grows"}}' })).text).to.equal('aside');
      takes = false;
      expect((await ask('POST', '', { body: '{"metadata":{"name":"grows"}}' })).status).to.equal(201);
      expect(asked).to.deep.equal(['POST 29', 'POST 29']);
      expect(made).to.deep.equal(['grows', 'grows', 'grows']);
      expect((await ask('POST', '', { body: '{"metadata":{"name":"small"},"data":{}}' })).status).to.equal(201);
      takes = true;
      const put = '{"metadata":{"name":"small"}}';
      expect((await ask('PUT', '/small', { body: put })).text).to.equal('aside');
    });

  describe('on a stored object of very many values', () => {
    beforeEach(async () => {
      takes = false;
      await ask('POST', '', { body: made('many', mostValuesHere) });
      takes = true;
      asked = [];
    });

    it('are changes of it, however small', async () => {
      const small = '{"data":{"a":"b"}}';
      expect((await ask('PATCH', '/many', { body: small, headers: merge })).text).to.equal('aside');
      const put = JSON.stringify({ metadata: { name: 'many' } });
      expect((await ask('PUT', '/many', { body: put })).text).to.equal('aside');
      expect(asked).to.deep.equal([`PATCH ${small.length}`, `PUT ${put.length}`]);
    });

    it('are deletions of it, alone or with others', async () => {
      expect((await ask('POST', '', { body: made('few', 10) })).status).to.equal(201);
      expect((await ask('DELETE', '/many')).text).to.equal('aside');
      expect((await ask('DELETE', '', { body: '{}' })).text).to.equal('aside');
      expect(asked).to.deep.equal(['DELETE 0', 'DELETE 2']);
      // Of the others, none is gone.
      expect((await ask('GET', '/few')).status).to.equal(200);
      expect((await ask('DELETE', '/few')).status).to.equal(200);
      expect(asked).to.have.length(2);
    });

    it('are deleted where everybody is served when it does not take them', async () => {
      takes = false;
      expect((await ask('DELETE', '/many')).status).to.equal(200);
      expect((await ask('GET', '/many')).status).to.equal(404);
    });

    it('are reads of it in another form than it is stored in', async () => {
      expect((await ask('GET', '/many', { headers: { accept: 'application/yaml' } })).text).to.equal('aside');
      expect((await ask('GET', '', { headers: asTable })).text).to.equal('aside');
      expect(asked).to.deep.equal(['GET unread', 'GET unread']);
    });

    it('are not reads of it as it is, nor requests for others', async () => {
      expect((await ask('GET', '/many')).status).to.equal(200);
      expect((await ask('GET', '')).status).to.equal(200);
      expect((await ask('POST', '', { body: made('few', 10) })).status).to.equal(201);
      expect((await ask('GET', '/few', { headers: asTable })).status).to.equal(200);
      expect(asked).to.deep.equal([]);
    });
  });
});
