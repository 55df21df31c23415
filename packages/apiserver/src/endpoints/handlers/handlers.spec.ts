import { gunzipSync } from 'node:zlib';
import { request as httpRequest } from 'node:http';
import { forbidden } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { createAdmissionChain } from '../../admission/chain.ts';
import type { Authorizer } from '../../authorization/authorizer.ts';
import { createStatusStorage } from '../../registry/generic/status-storage.ts';
import type { Store } from '../../registry/generic/store.ts';
import { ResourceServer } from '../../testing/resource-server.ts';

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
}

describe('endpoint handlers', () => {
  let server: ResourceServer;
  let url: string;
  let mayCreate: boolean;

  const ask = async (
    method: string,
    path: string,
    options: { body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Answer> => {
    const { body, headers } = options;
    const response = await fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', 'user-agent': 'spec/1.0', ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      body: (text.startsWith('{') ? JSON.parse(text) : { text }) as Record<string, unknown>,
      headers: response.headers,
    };
  };
  const configMaps = '/api/v1/namespaces/a/configmaps';
  const patch = (name: string, type: string, body: unknown, query = ''): Promise<Answer> =>
    ask('PATCH', `${configMaps}/${name}${query}`, { body, headers: { 'content-type': `application/${type}` } });
  const make = (name: string, more: Record<string, unknown> = {}): Promise<Answer> =>
    ask('POST', configMaps, { body: { metadata: { name }, ...more } });

  beforeEach(async () => {
    mayCreate = true;
    const authorizer: Authorizer = {
      authorize: ({ verb }) => ({
        decision: verb !== 'create' || mayCreate ? 'Allow' : 'NoOpinion',
        reason: 'because',
      }),
    };
    const admission = createAdmissionChain([
      {
        name: 'Spec',
        handles: (operation) => operation === 'CREATE' || operation === 'DELETE',
        admit: ({ object, operation, oldObject }) => {
          if (object?.metadata?.name === 'stamped') object.metadata.labels = { stamped: 'yes' };
          if (operation === 'DELETE' && oldObject?.metadata?.name === 'kept')
            throw forbidden({ group: '', resource: 'configmaps' }, 'kept', 'it is kept');
        },
        validate: ({ object }) => {
          if (object?.metadata?.labels?.['refuse'] === 'me')
            throw forbidden({ group: '', resource: 'configmaps' }, object.metadata.name ?? '', 'it asks for it');
        },
      },
    ]);
    server = new ResourceServer({ admission, authorizer, maxObjectBytes: 300_000 });
    server.install({
      group: '',
      plural: 'configmaps',
      singular: 'configmap',
      kind: 'ConfigMap',
      namespaced: true,
      memoryVersion: { group: '', version: 'v1' },
    });
    server.install(
      {
        group: '',
        plural: 'namespaces',
        singular: 'namespace',
        kind: 'Namespace',
        namespaced: false,
        memoryVersion: { group: '', version: 'v1' },
      },
      (storage) => [['namespaces/status', createStatusStorage(storage as Store, { resetFields: ['spec'] })]],
    );
    url = await server.listen();
  });
  afterEach(() => server.close());

  describe('create', () => {
    it('answers 201 with managed fields named after the User-Agent', async () => {
      const { status, body } = await make('x', { data: { k: 'v' } });
      expect(status).to.equal(201);
      expect(body).to.have.nested.property('metadata.managedFields[0].manager', 'spec');
      expect(body).to.deep.nested.include({
        'metadata.managedFields[0].fieldsV1': { 'f:data': { '.': {}, 'f:k': {} } },
      });
    });

    it('warns of unknown fields, refuses them under Strict and is silent under Ignore', async () => {
      const body = { metadata: { name: 'x' }, nonsense: 1 };
      expect((await ask('POST', `${configMaps}?dryRun=All`, { body })).headers.get('warning')).to.equal(
        '299 - "unknown field \\"nonsense\\""',
      );
      expect((await ask('POST', `${configMaps}?fieldValidation=Strict`, { body })).body['message']).to.equal(
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "nonsense"',
      );
      expect(
        (await ask('POST', `${configMaps}?fieldValidation=Ignore&dryRun=All`, { body })).headers.get('warning'),
      ).to.equal(null);
    });

    it('refuses wrong parameters, namespaces and kinds', async () => {
      const message = async (query: string, body: unknown): Promise<unknown> =>
        (await ask('POST', `${configMaps}${query}`, { body })).body['message'];
      expect(await message('?dryRun=Some', {})).to.equal(
        'CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All"',
      );
      expect(await message('?fieldValidation=x', {})).to.equal(
        'CreateOptions.meta.k8s.io "" is invalid: fieldValidation: Unsupported value: "x": supported values: ' +
          '"", "Ignore", "Strict", "Warn"',
      );
      expect(await message('', { metadata: { name: 'x', namespace: 'b' } })).to.equal(
        'the namespace of the provided object does not match the namespace sent on the request',
      );
      expect(await message('', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' } })).to.equal(
        'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): ' +
          'unknown conversion',
      );
      expect(await message('', 'hello')).to.equal(
        "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json " +
          "parse error: invalid character 'h' looking for beginning of value (68656c6c6f)",
      );
    });

    it('refuses bodies above 3 MiB (requestBody)', async () => {
      const { status, body } = await ask('POST', configMaps, {
        body: { metadata: { name: 'x' }, data: { k: 'x'.repeat(3 * 1024 * 1024) } },
      });
      expect(status).to.equal(413);
      expect(body['message']).to.equal('Request entity too large: limit is 3145728');
    });

    it('runs admission around storage', async () => {
      expect((await make('stamped')).body).to.deep.nested.include({ 'metadata.labels': { stamped: 'yes' } });
      expect((await make('x', { metadata: { name: 'x', labels: { refuse: 'me' } } })).body['message']).to.equal(
        'configmaps "x" is forbidden: it asks for it',
      );
    });

    it('removes repeated owner references with a warning', async () => {
      const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u1' };
      const { body, headers } = await make('x', { metadata: { name: 'x', ownerReferences: [owner, owner] } });
      expect(body).to.deep.nested.include({ 'metadata.ownerReferences': [owner] });
      expect(headers.get('warning')).to.contain('duplicate UID(s) observed: u1');
    });
  });

  describe('update', () => {
    it('replaces, and names the object in errors', async () => {
      await make('x');
      expect(
        (await ask('PUT', `${configMaps}/x`, { body: { metadata: { name: 'x' }, data: { k: 'v' } } })).body,
      ).to.deep.include({ data: { k: 'v' } });
      expect((await ask('PUT', `${configMaps}/x`, { body: { metadata: { name: 'y' } } })).body['message']).to.equal(
        'the name of the object (y) does not match the name on the URL (x)',
      );
      expect(
        (await ask('PUT', `${configMaps}/x`, { body: { metadata: { name: 'x', uid: 'other' } } })).body['message'],
      ).to.match(
        /^Operation cannot be fulfilled on configmaps "x": StorageError: invalid object, Code: 4, Key: \/registry\/configmaps\/a\/x, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: other, UID in object meta: /,
      );
    });

    it('of a status goes through its own storage and manager entry', async () => {
      await ask('POST', '/api/v1/namespaces', { body: { metadata: { name: 'n', labels: { l: '1' } } } });
      const { body } = await ask('PUT', '/api/v1/namespaces/n/status', {
        body: { metadata: { name: 'n' }, status: { phase: 'Terminating' } },
      });
      expect(body).to.deep.nested.include({ 'status.phase': 'Terminating' });
      expect(
        (body['metadata'] as { managedFields: { subresource?: string }[] }).managedFields.map(
          ({ subresource }) => subresource,
        ),
      ).to.include('status');
    });
  });

  describe('patch', () => {
    beforeEach(() => make('x', { data: { a: '1' } }));

    it('merges in all four ways', async () => {
      expect((await patch('x', 'merge-patch+json', { data: { b: '2' } })).body['data']).to.deep.equal({
        a: '1',
        b: '2',
      });
      expect((await patch('x', 'json-patch+json', [{ op: 'remove', path: '/data/a' }])).body['data']).to.deep.equal({
        b: '2',
      });
      expect(
        (await patch('x', 'strategic-merge-patch+json', { data: { c: '3', b: null } })).body['data'],
      ).to.deep.equal({ c: '3' });
      expect((await patch('x', 'strategic-merge-patch+json', { data: { c: 1 } })).body['message']).to.equal(
        ' "" is invalid: patch: Invalid value: "map[data:map[c:1]]": cannot convert int64 to string',
      );
      const applied = await patch(
        'x',
        'apply-patch+yaml',
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {d: "4"}\n',
        '?fieldManager=me',
      );
      expect(applied.body['data']).to.deep.equal({ c: '3', d: '4' });
    });

    it('leaves numbers as they were written for the fields to take or refuse', async () => {
      const refused = async (type: string, body: string): Promise<unknown> =>
        (await patch('x', type, body)).body['message'];
      expect(await refused('merge-patch+json', '{"metadata":{"deletionGracePeriodSeconds":1.0}}')).to.match(
        /"deletionGracePeriodSeconds\\":1\.0.*cannot unmarshal number 1\.0 into Go struct field .* of type int64$/,
      );
      expect(await refused('json-patch+json', '[{"op":"replace","path":"/data","value":{"b":1e3}}]')).to.match(
        /\\"data\\":\{\\"b\\":1e3\}.*cannot unmarshal number into Go struct field ConfigMap\.data of type string$/,
      );
    });

    it('takes a number by itself for what it is, however it is written', async () => {
      const told = 'json: cannot unmarshal number into Go value of type map[string]interface {}';
      for (const number of ['1', '1e22', ' -1e400']) {
        expect((await patch('x', 'merge-patch+json', number)).body['message'], number).to.equal(
          `error decoding patch: ${told}`,
        );
        expect((await patch('x', 'strategic-merge-patch+json', number)).body['message'], number).to.equal(told);
      }
    });

    it('quotes texts of a merge patch as they were written', async () => {
      const body = String.raw`{"metadata":{"labels":{"a":"\u00e9\/<","b":"\ud800"}},"data":1}`;
      expect((await patch('x', 'merge-patch+json', body)).body['message'])
        .to.include(String.raw`\"labels\":{\"a\":\"\\u00e9\\/\\u003c\",\"b\":\"\\ud800\"}`)
        .and.to.include('cannot unmarshal number into Go struct field ConfigMap.data');
    });

    it('tells whole numbers written as floats from others in refusals of strategic merge patches', async () => {
      const type = 'strategic-merge-patch+json';
      expect((await patch('x', type, '{"metadata":{"name":1e9}}')).body['message']).to.equal(
        ' "" is invalid: patch: Invalid value: "map[metadata:map[name:1e+09]]": unrecognized type: string',
      );
      expect((await patch('x', type, '{"metadata":{"name":1}}')).body['message']).to.match(
        /"map\[metadata:map\[name:1\]\]": cannot convert int64 to string$/,
      );
      expect((await patch('x', type, '{"data":-0.0}')).body['message']).to.match(
        /"map\[data:-0\]": cannot restore map from float64$/,
      );
      expect((await patch('x', type, '{"data":-0}')).body['message']).to.match(
        /"map\[data:0\]": cannot restore map from int64$/,
      );
    });

    it('looks at where a list goes on, also where only one object is asked for', async () => {
      const { body, status } = await ask('GET', `${configMaps}?fieldSelector=metadata.name%3Dx&continue=e30`);
      expect(status).to.equal(400);
      expect(body['message']).to.match(/^invalid continue token: continue key is not valid: /);
    });

    it('takes a list for what is to be there, where nobody looks at the fields', async () => {
      const message = async (query: string): Promise<unknown> =>
        (await patch('x', 'merge-patch+json', '[{"a":1,"b":null},null]', query)).body['message'];
      expect(await message('')).to.equal(
        'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
      );
      expect(await message('?fieldValidation=Ignore')).to.match(
        /^ "" is invalid: patch: Invalid value: "\[\{\\"a\\":1\},null\]": couldn't get version\/kind; json parse error: /,
      );
    });

    it('changes managed fields that other objects share for this one only', async () => {
      await make('y', { data: { a: '1' } });
      const fields = (body: Record<string, unknown>): unknown =>
        (body['metadata'] as { managedFields: { fieldsV1: unknown }[] }).managedFields[0]?.fieldsV1;
      const { status } = await patch('x', 'json-patch+json', [
        { op: 'add', path: '/metadata/managedFields/0/fieldsV1/f:data/f:z', value: {} },
      ]);
      expect(status).to.equal(200);
      expect(fields((await ask('GET', `${configMaps}/x`)).body)).to.deep.equal({
        'f:data': { '.': {}, 'f:a': {}, 'f:z': {} },
      });
      expect(fields((await ask('GET', `${configMaps}/y`)).body)).to.deep.equal({ 'f:data': { '.': {}, 'f:a': {} } });
    });

    it('reports conflicts of an apply, which force overrides', async () => {
      const body = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {a: other}\n';
      const conflict = await patch('x', 'apply-patch+yaml', body, '?fieldManager=me');
      expect(conflict.status).to.equal(409);
      expect(conflict.body).to.deep.nested.include({
        'details.causes': [
          { reason: 'FieldManagerConflict', message: 'conflict with "spec" using v1', field: '.data.a' },
        ],
      });
      expect((await patch('x', 'apply-patch+yaml', body, '?fieldManager=me&force=true')).status).to.equal(200);
    });

    it('creates by apply alone, and only for those who may create', async () => {
      const body = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: new}\n';
      mayCreate = false;
      expect((await patch('new', 'apply-patch+yaml', body, '?fieldManager=me')).status).to.equal(403);
      mayCreate = true;
      expect((await patch('new', 'apply-patch+yaml', body, '?fieldManager=me')).status).to.equal(201);
      expect((await patch('other', 'merge-patch+json', {})).body['message']).to.equal('configmaps "other" not found');
    });

    it('checks its parameters and types', async () => {
      expect((await patch('x', 'apply-patch+yaml', '{}')).body['message']).to.equal(
        'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
      );
      expect((await patch('x', 'merge-patch+json', {}, '?force=true')).body['message']).to.equal(
        'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
      );
      expect((await patch('x', 'json', {})).body['message']).to.equal('415: Unsupported Media Type');
      expect((await patch('x', 'merge-patch+json', { nope: 1 }, '?fieldValidation=Strict')).body['message']).to.match(
        /strict decoding error: unknown field "nope"$/,
      );
    });

    it('misses the name of what a JSON patch leaves nothing of, however fields are validated', async () => {
      const { body, status } = await patch(
        'x',
        'json-patch+json',
        [{ op: 'replace', path: '', value: {} }],
        '?fieldValidation=Strict',
      );
      expect(status).to.equal(400);
      expect(body['message']).to.equal(
        'the name of the object (x based on URL) was undeterminable: name must be provided',
      );
    });

    for (const [value, kind] of [
      [0, 'number'],
      [false, 'bool'],
    ] as const)
      it(`names an apiVersion of ${String(value)} as what it is`, async () => {
        const { status, body } = await patch('x', 'merge-patch+json', { apiVersion: value });
        expect(status).to.equal(422);
        expect(body['message']).to.match(
          new RegExp(`cannot unmarshal ${kind} into Go struct field .apiVersion of type string$`),
        );
      });
  });

  describe('delete', () => {
    it('reads options from the body, or else from the query', async () => {
      await make('x');
      expect((await ask('DELETE', `${configMaps}/x?propagationPolicy=Sideways`)).status).to.equal(422);
      expect(
        (await ask('DELETE', `${configMaps}/x?dryRun=All`, { body: { preconditions: { uid: 'other' } } })).status,
      ).to.equal(409);
      expect((await ask('DELETE', `${configMaps}/x?dryRun=All`)).status).to.equal(200);
      expect(
        (await ask('DELETE', `${configMaps}/x`, { body: { apiVersion: 'whatever/v7', kind: 'DeleteOptions' } })).status,
      ).to.equal(200);
      expect((await ask('GET', `${configMaps}/x`)).status).to.equal(404);
    });

    it('asks admission about the object that goes', async () => {
      await make('kept');
      expect((await ask('DELETE', `${configMaps}/kept`)).body['message']).to.equal(
        'configmaps "kept" is forbidden: it is kept',
      );
      expect((await ask('DELETE', configMaps)).status).to.equal(403);
    });

    it('of a collection answers with the list', async () => {
      await make('x', { metadata: { name: 'x', labels: { l: '1' } } });
      await make('y');
      const { body } = await ask('DELETE', `${configMaps}?labelSelector=l%3D1`);
      expect(body).to.have.property('kind', 'ConfigMapList');
      expect(body['items'] as unknown[]).to.have.length(1);
      expect((await ask('GET', `${configMaps}/y`)).status).to.equal(200);
    });
  });

  describe('representations', () => {
    it('leave kind and apiVersion out of list items', async () => {
      await make('x');
      const { body } = await ask('GET', configMaps);
      expect(Object.keys(body)).to.deep.equal(['kind', 'apiVersion', 'metadata', 'items']);
      expect((body['items'] as Record<string, unknown>[])[0]).to.not.have.any.keys('kind', 'apiVersion');
      expect((await ask('GET', '/api/v1/namespaces')).body).to.deep.include({ items: [] });
    });

    it('are indented for people', async () => {
      await make('x');
      const text = async (path: string): Promise<string> =>
        (await fetch(url + path, { headers: { 'user-agent': 'spec' } })).text();
      const compact = await text(`${configMaps}/x`);
      expect(compact.endsWith('}\n')).to.equal(true);
      expect(await text(`${configMaps}/x?pretty=1`)).to.equal(JSON.stringify(JSON.parse(compact), undefined, 2));
      expect(await text(`${configMaps}?pretty=1`)).to.equal(
        JSON.stringify(JSON.parse(await text(configMaps)), undefined, 2),
      );
    });

    it('can be tables and metadata alone', async () => {
      await make('x', { data: { k: 'v' } });
      const table = await ask('GET', configMaps, {
        headers: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' },
      });
      expect(table.body).to.deep.include({ kind: 'Table', apiVersion: 'meta.k8s.io/v1' });
      expect(table.body).to.deep.nested.include({
        'rows[0].cells[0]': 'x',
        'rows[0].object.kind': 'PartialObjectMetadata',
      });
      const metadata = await ask('GET', `${configMaps}/x`, {
        headers: { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' },
      });
      expect(metadata.body).to.have.all.keys('kind', 'apiVersion', 'metadata');
      const list = await ask('GET', configMaps, {
        headers: { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' },
      });
      expect(list.body['message']).to.equal(
        'you requested PartialObjectMetadata, but the requested object is a list (*core.ConfigMapList)',
      );
    });

    it('can be YAML', async () => {
      await make('x');
      const answer = await ask('GET', `${configMaps}/x`, { headers: { accept: 'application/yaml' } });
      expect(answer.headers.get('content-type')).to.equal('application/yaml');
      expect(answer.body['text']).to.match(/^apiVersion: v1\nkind: ConfigMap\n/);
    });

    it('are compressed when they are large and the client takes it', async () => {
      for (let i = 0; i < 20; i++) await make(`x${i}`, { data: { k: 'v'.repeat(10_000) } });
      const raw = await new Promise<{ encoding: string | undefined; body: Buffer }>((resolve, reject) => {
        httpRequest(url + configMaps, { headers: { 'accept-encoding': 'gzip' } }, (response) => {
          const chunks: Buffer[] = [];
          response
            .on('data', (chunk: Buffer) => chunks.push(chunk))
            .on('end', () => {
              resolve({ encoding: response.headers['content-encoding'], body: Buffer.concat(chunks) });
            });
        })
          .on('error', reject)
          .end();
      });
      expect(raw.encoding).to.equal('gzip');
      expect((JSON.parse(gunzipSync(raw.body).toString()) as { items: unknown[] }).items).to.have.length(20);
      const small = await fetch(`${url}${configMaps}/x1`, { headers: { 'accept-encoding': 'gzip' } });
      expect(small.headers.get('content-encoding')).to.equal(null);
    });
  });

  describe('an object that the store finds too large', () => {
    /** 1,500 keys of 64 bytes: with their managed fields twice as large. */
    const data = (value: string): Record<string, string> =>
      Object.fromEntries(Array.from({ length: 1_500 }, (_, i) => [`${'k'.repeat(60)}${i}`, value]));
    const fits = 'x'.repeat(70);
    const tooLarge = {
      status: 500,
      body: {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'etcdserver: request is too large',
        code: 500,
      },
    };

    it('is written without managed fields: created, updated, patched', async () => {
      const created = await make('large', { data: data(fits) });
      expect([created.status, created.body['metadata']]).to.have.nested.property('[0]', 201);
      expect(created.body).not.to.have.nested.property('metadata.managedFields');
      await make('grows', { data: { a: 'b' } });
      const updated = await ask('PUT', `${configMaps}/grows`, {
        body: { metadata: { name: 'grows' }, data: data(fits) },
      });
      expect(updated.status).to.equal(200);
      expect(updated.body).not.to.have.nested.property('metadata.managedFields');
      await make('patched', { data: { a: 'b' } });
      const patched = await patch('patched', 'merge-patch+json', { data: data(fits) });
      expect(patched.status).to.equal(200);
      expect(patched.body).not.to.have.nested.property('metadata.managedFields');
    });

    it('is refused in the words of etcd when that does not help, or is applied', async () => {
      expect(await make('larger', { data: data('x'.repeat(300)) })).to.deep.include(tooLarge);
      const apply = (): Promise<Answer> =>
        patch(
          'applied',
          'apply-patch+yaml',
          { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'applied' }, data: data(fits) },
          '?fieldManager=m',
        );
      expect(await apply()).to.deep.include(tooLarge);
    });
  });

  describe('watch', () => {
    const watch = async (
      query: string,
      count: number,
      accept = 'application/json',
    ): Promise<{ type: string; object: Record<string, unknown> }[]> => {
      const gone = new AbortController();
      const response = await fetch(`${url}${configMaps}?watch=1${query}`, { headers: { accept }, signal: gone.signal });
      const events: { type: string; object: Record<string, unknown> }[] = [];
      let text = '';
      if (response.body === null) throw new TypeError('no body');
      for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
        text += chunk;
        const lines = text.split('\n');
        text = lines.pop() ?? '';
        for (const line of lines) events.push(JSON.parse(line) as { type: string; object: Record<string, unknown> });
        if (events.length >= count) break;
      }
      gone.abort();
      return events;
    };

    it('streams what happens after a revision', async () => {
      const made = await make('x');
      const { resourceVersion } = made.body['metadata'] as { resourceVersion: string };
      await patch('x', 'merge-patch+json', { data: { k: 'v' } });
      await ask('DELETE', `${configMaps}/x`);
      const events = await watch(`&resourceVersion=${resourceVersion}`, 2);
      expect(events.map(({ type }) => type)).to.deep.equal(['MODIFIED', 'DELETED']);
      expect(events[0]?.object).to.deep.include({ kind: 'ConfigMap', apiVersion: 'v1', data: { k: 'v' } });
    });

    it('marks the end of initial events, also of metadata and tables', async () => {
      await make('x', { data: { k: 'v' } });
      const query = '&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
      const [added, bookmark] = await watch(query, 2);
      expect(added?.type).to.equal('ADDED');
      expect(bookmark).to.deep.nested.include({
        type: 'BOOKMARK',
        'object.kind': 'ConfigMap',
        'object.metadata.annotations': { 'k8s.io/initial-events-end': 'true' },
      });
      const metadata = await watch(query, 2, 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1');
      expect(metadata.map(({ object }) => object['kind'])).to.deep.equal([
        'PartialObjectMetadata',
        'PartialObjectMetadata',
      ]);
      const tables = await watch(`${query}&includeObject=None`, 2, 'application/json;as=Table;g=meta.k8s.io;v=v1');
      expect(tables.map(({ object }) => object['columnDefinitions'] === null)).to.deep.equal([false, true]);
    });

    it('tells in the stream that a revision is not there yet, and refuses what is no revision', async () => {
      const events = await watch('&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=999999', 1);
      expect(events[0]).to.deep.nested.include({ type: 'ERROR', 'object.code': 504, 'object.reason': 'Timeout' });
      expect((await ask('GET', `${configMaps}?watch=1&resourceVersion=abc`)).body).to.deep.include({
        code: 500,
        message: 'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
      });
      expect((await ask('GET', `${configMaps}?watch=1&resourceVersion=a%00`)).body['message']).to.match(
        /"a\\x00": inv/,
      );
      // Where it begins is read before what it is sent as.
      const headers = { accept: 'application/yaml' };
      expect((await ask('GET', `${configMaps}?watch=1&resourceVersion=a`, { headers })).status).to.equal(500);
      expect((await ask('GET', `${configMaps}?watch=1&resourceVersion=1`, { headers })).status).to.equal(406);
      const table = { headers: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' } };
      expect((await ask('GET', `${configMaps}?watch=1&resourceVersion=a&includeObject=x`, table)).status).to.equal(500);
    });

    describe('that could not begin', () => {
      const ends = (): [reason: string, count: number][] => [
        ...server.watchMetrics.of({ group: '', version: 'v1', resource: 'configmaps' }).terminations,
      ];
      /** Asks for a watch, and then for others on the same connection: the first is over on both sides. */
      const over = async (query: string): Promise<void> => {
        await ask('GET', `${configMaps}?watch=1${query}`);
        await ask('GET', configMaps);
        await watch('&timeoutSeconds=1', 99);
      };

      it('ends once, as what the client was told', async () => {
        await over('&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=999999');
        expect(ends()).to.deep.equal([
          ['too_new', 1],
          ['timeout', 1],
        ]);
      });

      it('has no end when it was refused', async () => {
        await over('&resourceVersion=abc');
        expect(ends()).to.deep.equal([['timeout', 1]]);
      });
    });

    it('ends after timeoutSeconds', async () => {
      await make('x');
      expect(await watch('&timeoutSeconds=1', 99)).to.have.length(1);
    });

    it('ends after timeoutSeconds also while the store does not answer', async () => {
      server.install(
        {
          group: '',
          plural: 'secrets',
          singular: 'secret',
          kind: 'Secret',
          namespaced: true,
          memoryVersion: { group: '', version: 'v1' },
        },
        (storage) => {
          Object.defineProperty(storage, 'watch', { value: () => new Promise(() => undefined) });
          return [];
        },
      );
      const { body, status } = await ask('GET', '/api/v1/namespaces/a/secrets?watch=1&timeoutSeconds=1');
      expect({ status, body }).to.deep.equal({ status: 200, body: { text: '' } });
    });
  });
});
