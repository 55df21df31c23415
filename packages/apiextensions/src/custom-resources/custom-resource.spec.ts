import { expect } from 'chai';
import type { StorageInterface } from '@kubechain/shared-storage';
import { CRDServer, crdOf } from '../testing/crd-server.ts';

const objects = '/apis/x.io/v1/namespaces/default/widgets';
const widget = (name: string, more: object = {}): Record<string, unknown> => ({
  apiVersion: 'x.io/v1',
  kind: 'Widget',
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

describe('objects of a CRD', () => {
  let server: CRDServer;
  let storages: StorageInterface[];

  beforeEach(async () => {
    storages = [];
    server = new CRDServer({
      wrap: (storage) => {
        storages.push(storage);
        return storage;
      },
    });
    await server.start();
  });
  afterEach(() => server.stop());

  it('cannot be made by applying them while their CRD is being deleted', async () => {
    await server.create(crdOf('widgets', {}, { finalizers: ['x.io/mine'] }));
    const apply = (query: string): ReturnType<CRDServer['ask']> =>
      server.ask('PATCH', `${objects}/one?fieldManager=m${query}`, widget('one'), 'application/apply-patch+yaml');
    expect((await apply('&dryRun=All')).status).to.equal(201);
    await server.ask('POST', objects, { ...widget('held'), metadata: { name: 'held', finalizers: ['x.io/mine'] } });
    await server.delete('widgets');
    const { body, status } = await apply('&dryRun=All');
    expect([status, body['message']]).to.deep.equal([
      403,
      'widgets.x.io "one" is forbidden: create not allowed while custom resource definition is terminating',
    ]);
  });

  describe('of hostile sizes', () => {
    const size = 3 * 1024 * 1024;
    const rows: readonly (readonly [name: string, type: string, values: string, status: number])[] = [
      ['too long JSON', 'application/json', '['.repeat(size), 413],
      ['too long YAML', 'application/yaml', '['.repeat(size), 413],
      ['deeply nested JSON', 'application/json', '['.repeat(size / 2 - 500) + ']'.repeat(size / 2 - 500), 400],
      ['deeply nested YAML', 'application/yaml', '['.repeat(size / 2 - 500) + ']'.repeat(size / 2 - 500), 400],
    ];
    for (const [name, type, values, status] of rows) {
      it(`answers ${status} to ${name}`, async () => {
        await server.create(crdOf('widgets'));
        const head = JSON.stringify(widget('one')).slice(0, -1);
        expect(
          (await server.send('POST', objects, `${head},"values":${values}}`, { contentType: type })).status,
        ).to.equal(status);
        expect((await server.ask('POST', objects, widget('one'))).status).to.equal(201);
      }).timeout(120_000);
    }
  });

  it('are read from storage whatever their metadata, and can be deleted', async () => {
    await server.create(
      crdOf('widgets', {
        versions: [
          version('v1', {
            embedded: {
              type: 'object',
              'x-kubernetes-embedded-resource': true,
              'x-kubernetes-preserve-unknown-fields': true,
            },
          }),
        ],
      }),
    );
    await server.ask('GET', objects);
    const broken = { unknown: 42, annotations: { foo: 42, bar: 'abc' }, labels: { invalid: 'x y' } };
    const plant = (): Promise<unknown> =>
      storages[0]!.create('/registry/widgets/default/one', {
        ...widget('one', { embedded: { apiVersion: 'foo/v1', kind: 'Foo', metadata: { name: 'a', ...broken } } }),
        metadata: { name: 'one', namespace: 'default', uid: 'u', ...broken },
      } as never);
    await plant();
    const { body, status } = await server.ask('GET', `${objects}/one`);
    expect(status).to.equal(200);
    // Labels can be read, so that they stay; who writes the object has to mend them. Annotations cannot, with one that
    // is no text.
    expect(body['metadata']).to.deep.equal({
      name: 'one',
      namespace: 'default',
      uid: 'u',
      generation: 1,
      resourceVersion: '5',
      labels: { invalid: 'x y' },
    });
    expect((body['embedded'] as { metadata: object }).metadata).to.deep.equal({
      name: 'a',
      labels: { invalid: 'x y' },
    });
    expect((await server.ask('PATCH', `${objects}/one`, { spec: 1 }, 'application/merge-patch+json')).status).to.equal(
      422,
    );
    expect((await server.ask('DELETE', `${objects}/one`)).status).to.equal(200);
  });

  it('do not come back with a CRD of the same name', async () => {
    await server.create(crdOf('widgets'));
    await server.ask('POST', objects, widget('one'));
    await server.delete('widgets');
    await server.until(async () => (await server.get('widgets')) === undefined, 'the CRD is gone');
    await server.create(crdOf('widgets'));
    expect((await server.ask('GET', objects)).body['items']).to.deep.equal([]);
    expect((await server.ask('POST', objects, widget('one'))).status).to.equal(201);
  });

  describe('of two versions with status and scale', () => {
    const type = 'application/apply-patch+yaml';
    const subresources = {
      status: {},
      scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
    };
    const properties = {
      spec: { type: 'object', properties: { replicas: { type: 'integer' }, text: { type: 'string' } } },
      status: { type: 'object', properties: { replicas: { type: 'integer' } } },
    };
    const message = ({ body, status }: Awaited<ReturnType<CRDServer['ask']>>): string =>
      `${status} ${String(body['message'])}`;

    beforeEach(async () => {
      await server.create(
        crdOf('widgets', {
          versions: [
            version('v1', properties, { subresources }),
            { ...version('v2', properties, { subresources }), storage: false },
          ],
        }),
      );
      expect(
        (await server.ask('POST', `${objects}?fieldManager=maker`, widget('one', { spec: { replicas: 1, text: 'a' } })))
          .status,
      ).to.equal(201);
    });

    it('have no owners after a patch of the status that makes them of another kind, or group', async () => {
      for (const change of [{ kind: 'Other' }, { apiVersion: 'other/v1' }, { apiVersion: 'none' }]) {
        const { body, status } = await server.ask(
          'PATCH',
          `${objects}/one/status?dryRun=All`,
          { ...change, status: { replicas: 3 } },
          'application/merge-patch+json',
        );
        expect([status, body['kind'], body['apiVersion'], body['status']]).to.deep.equal([
          200,
          'Widget',
          'x.io/v1',
          { replicas: 3 },
        ]);
        expect(body).not.to.have.nested.property('metadata.managedFields');
      }
    });

    it('have a status whose patches take nothing else from managers of another version', async () => {
      await server.ask(
        'PATCH',
        '/apis/x.io/v2/namespaces/default/widgets/one?fieldManager=other',
        { spec: { text: 'b' } },
        'application/merge-patch+json',
      );
      const { body } = await server.ask(
        'PATCH',
        `${objects}/one/status?fieldManager=third`,
        { spec: { text: 'c' }, status: { replicas: 2 } },
        'application/merge-patch+json',
      );
      const owners = (
        body['metadata'] as { managedFields: { manager: string; apiVersion: string; fieldsV1: object }[] }
      ).managedFields.map(
        ({ apiVersion, fieldsV1, manager }) => `${manager} ${apiVersion} ${JSON.stringify(fieldsV1)}`,
      );
      expect(owners).to.include('other x.io/v2 {"f:spec":{"f:text":{}}}');
      expect(
        (
          await server.ask(
            'PATCH',
            `${objects}/one/status?fieldManager=fourth`,
            widget('one', { spec: { text: 'd' }, status: { replicas: 2 } }),
            type,
          )
        ).status,
      ).to.equal(200);
    });

    it('refuse a patch that changes what they are, but for their status', async () => {
      const patch = (path: string, change: object): Promise<string> =>
        server.ask('PATCH', `${objects}/one${path}`, change, 'application/merge-patch+json').then(message);
      expect(await patch('', { apiVersion: 'x.io/v2' })).to.equal(
        '422 Widget.x.io "one" is invalid: apiVersion: Invalid value: "x.io/v2": must be x.io/v1',
      );
      expect(await patch('', { apiVersion: 'v9' })).to.equal(
        '422 Widget "one" is invalid: apiVersion: Invalid value: "v9": must be x.io/v1',
      );
      expect(await patch('', { apiVersion: null })).to.equal(
        "500 Internal error occurred: Object 'apiVersion' is missing in 'object has no apiVersion field'",
      );
      expect(await patch('/status', { apiVersion: 'x.io/v2', kind: 'Gadget' })).to.equal('200 undefined');
    });

    it('keep their metadata in a status, whatever is sent with it', async () => {
      const metadata = { labels: { 'a b': 'c' }, uid: 'x', ownerReferences: [{}] };
      for (const mediaType of ['application/merge-patch+json', type]) {
        const change = { ...widget('one', { status: { replicas: 2 } }), metadata: { name: 'one', ...metadata } };
        const { body, status } = await server.ask('PATCH', `${objects}/one/status?fieldManager=m`, change, mediaType);
        expect([status, body['status']]).to.deep.equal([200, { replicas: 2 }]);
        expect(body['metadata']).not.to.have.any.keys('labels', 'ownerReferences');
      }
    });

    it('have of applied metadata what it can hold', async () => {
      const metadata = {
        name: 'one',
        labels: null,
        ownerReferences: [],
        deletionTimestamp: 'x',
        annotations: { a: null },
      };
      const { body, status } = await server.ask(
        'PATCH',
        `${objects}/one?fieldManager=m`,
        { ...widget('one'), metadata },
        type,
      );
      expect(status).to.equal(200);
      expect(body['metadata']).not.to.have.any.keys('labels', 'ownerReferences', 'deletionTimestamp');
      expect((body['metadata'] as { annotations?: object }).annotations).to.deep.equal({ a: '' });
    });

    it('keep their managers when a patch empties the list', async () => {
      const { body } = await server.ask(
        'PATCH',
        `${objects}/one`,
        { metadata: { managedFields: [] } },
        'application/merge-patch+json',
      );
      expect((body['metadata'] as { managedFields: object[] }).managedFields).to.have.length(1);
    });

    it('are told of by the names that they give themselves, where their metadata cannot be read', async () => {
      const post = (query: string, body: object): Promise<string> =>
        server.ask('POST', `${objects}${query}`, body).then(message);
      const reason = 'json: cannot unmarshal number into Go struct field ObjectMeta.labels of type map[string]string';
      const metadata = { name: 'two', labels: 1 };
      expect(await post('', { apiVersion: '0', kind: 'Other', metadata })).to.equal(
        `400 Other in version "0" cannot be handled as a Widget: ${reason}`,
      );
      expect(await post('?fieldValidation=Ignore', { apiVersion: 'x.io/v1' })).to.equal(
        '400 Widget in version "v1" cannot be handled as a Widget: ' +
          `Object 'Kind' is missing in '{"apiVersion":"x.io/v1"}'`,
      );
      expect(await post('', { apiVersion: 'x.io/v1' })).to.match(/^400 the object provided is unrecognized/);
    });

    it('keep what managers of a version without scale own when they are scaled by another one', async () => {
      await server.create(
        crdOf('gadgets', {
          versions: [
            version('v1', properties),
            { ...version('v2', properties, { subresources: { scale: subresources.scale } }), storage: false },
          ],
        }),
      );
      const path = '/apis/x.io/v1/namespaces/default/gadgets';
      const gadget = { ...widget('one', { spec: { replicas: 1 } }), kind: 'Gadget' };
      expect((await server.ask('POST', `${path}?fieldManager=maker`, gadget)).status).to.equal(201);
      const scaled = await server.ask(
        'PATCH',
        `${path.replace('v1', 'v2')}/one/scale`,
        { spec: { replicas: 2 } },
        'application/merge-patch+json',
      );
      expect([scaled.status, scaled.body['spec']]).to.deep.equal([200, { replicas: 2 }]);
      const { body } = await server.ask('GET', `${path}/one`);
      const { managedFields } = body['metadata'] as { managedFields: { manager: string; apiVersion: string }[] };
      expect(managedFields.map(({ apiVersion, manager }) => `${manager} ${apiVersion}`)).to.include('maker x.io/v1');
    });

    it('take an apply to their scale that changes nothing', async () => {
      const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'one' }, spec: { replicas: 1 } };
      const { body, status } = await server.ask('PATCH', `${objects}/one/scale?fieldManager=m`, scale, type);
      expect([status, body['spec']]).to.deep.equal([200, { replicas: 1 }]);
    });

    it('are told from lists as unstructured data is', async () => {
      const get = async (path: string, kind: string): Promise<string> => {
        return message(
          await server.send('GET', path, undefined, { accept: `application/json;as=${kind};v=v1;g=meta.k8s.io` }),
        );
      };
      expect(await get(`${objects}/one`, 'PartialObjectMetadataList')).to.equal('500 content is not a list');
      expect(await get(`${objects}/one/scale`, 'PartialObjectMetadataList')).to.equal(
        '406 you requested PartialObjectMetadataList, but the requested object is not a list (*v1.Scale)',
      );
      expect(await get(objects, 'PartialObjectMetadata')).to.equal(
        '406 you requested PartialObjectMetadata, but the requested object is a list (*unstructured.UnstructuredList)',
      );
    });

    it('cannot have their scale applied, after conflicts', async () => {
      const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'one' }, spec: { replicas: 3 } };
      const apply = (query: string): Promise<string> =>
        server.ask('PATCH', `${objects}/one/scale?fieldManager=m${query}`, scale, type).then(message);
      const reason = 'to proper version: request to convert CR to an invalid group/version: autoscaling/v1';
      expect(await apply('')).to.equal(
        '409 Apply failed with 1 conflict: conflict with "maker" using autoscaling/v1: .spec.replicas',
      );
      expect(await apply('&force=true')).to.equal(
        `500 failed to convert new object (/one; autoscaling/v1, Kind=Scale) ${reason}`,
      );
      await server.ask(
        'PATCH',
        `${objects}/one`,
        { metadata: { managedFields: [{}] } },
        'application/merge-patch+json',
      );
      expect(await apply('')).to.equal(
        '500 failed to create manager for existing fields: failed to convert live object (/; autoscaling/v1, ' +
          `Kind=Scale) ${reason}`,
      );
      const other = { ...scale, kind: 'Other' };
      expect(await server.ask('PATCH', `${objects}/one/scale?fieldManager=m`, other, type).then(message)).to.equal(
        '400 invalid object type: autoscaling/v1, Kind=Other',
      );
    });
  });

  describe('that are not what they should be', () => {
    const ios = { 'x-kubernetes-int-or-string': true };
    const embedded = { type: 'object', 'x-kubernetes-embedded-resource': true };
    const keeping = { 'x-kubernetes-preserve-unknown-fields': true };
    const properties = {
      emb: { ...embedded, ...keeping },
      embt: { ...embedded, properties: { a: { type: 'string' } } },
      any: keeping,
      open: { type: 'object', additionalProperties: true },
      replicas: { type: 'integer' },
      ios,
    };
    const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
    const post = (body: object, query = ''): Promise<string> =>
      server.ask('POST', `${objects}${query}`, body).then(told);
    const told = ({ body, status }: { readonly body: Record<string, unknown>; readonly status: number }): string =>
      `${status} ${String(body['message'])}`;

    beforeEach(async () => {
      const spec = { type: 'object', properties };
      await server.create(crdOf('widgets', { versions: [version('v1', { spec }, { subresources: { scale } })] }));
    });

    it('are told of all that is wrong, but for the metadata and values of another kind', async () => {
      const spec = { embt: { kind: 'B-', apiVersion: 'v1' }, replicas: 'x' };
      expect(await post({ apiVersion: 'x.io/v1', kind: 'Other', metadata: { name: 'A' }, spec })).to.match(
        /^422 Other.x.io "A" is invalid: \[kind: Invalid value: "Other": must be Widget, spec.embt.kind: Invalid value/,
      );
      await server.ask('POST', objects, widget('one'));
      const change = { apiVersion: 'x.io/v2', metadata: { uid: 'x' } };
      expect(told(await server.ask('PATCH', `${objects}/one`, change, 'application/merge-patch+json'))).to.equal(
        '422 Widget.x.io "one" is invalid: [metadata.uid: Invalid value: "x": field is immutable, ' +
          'apiVersion: Invalid value: "x.io/v2": must be x.io/v1]',
      );
    });

    it('have no kind where it is spelt in another case', async () => {
      const body = { apiVersion: 'x.io/v1', KIND: 'Thing', metadata: { name: 'one' } };
      const missing = `Object 'Kind' is missing in '${JSON.stringify(body)}'`;
      expect(await post(body, '?fieldValidation=Ignore')).to.equal(
        `400 Thing in version "v1" cannot be handled as a Widget: ${missing}`,
      );
      expect(await post(body, '?fieldValidation=Strict')).to.equal(
        `400 the object provided is unrecognized (must be of type Widget): ${missing} ` +
          '({"apiVersion":"x.io/v1","KIND" ...)',
      );
      expect(await post({ APIVERSION: 'x.io/v1', kind: 'Widget', metadata: { name: 'one' } })).to.equal(
        '400 the API version in the data () does not match the expected API version (x.io/v1)',
      );
    });

    it('are named by their own kind where they hold unknown fields', async () => {
      expect(await post({ ...widget('one'), kind: 'Other', Kind: 'Widget' }, '?fieldValidation=Strict')).to.equal(
        '422 Other.x.io "one" is invalid: kind: Invalid value: "Other": must be Widget',
      );
      const unknown = { ...widget('one'), metadata: { name: 'one', x: 1 } };
      expect(await post({ ...unknown, kind: 'Other' }, '?fieldValidation=Strict')).to.equal(
        '400 Other in version "v1" cannot be handled as a Other: strict decoding error: unknown field "metadata.x"',
      );
    });

    it('are warned of unknown fields before their version is refused', async () => {
      const { body, warning } = await server.ask('POST', objects, {
        ...widget('one', { x: 1 }),
        apiVersion: '1.5',
        metadata: { name: 'one', y: 1 },
      });
      expect([body['message'], warning]).to.deep.equal([
        'the API version in the data (1.5) does not match the expected API version (x.io/v1)',
        '299 - "unknown field \\"metadata.y\\""',
      ]);
    });

    it('are looked at by their name before a version is missed', async () => {
      await server.ask('POST', objects, widget('one'));
      const patch = (metadata: object): Promise<string> =>
        server
          .ask('PATCH', `${objects}/one`, { apiVersion: null, metadata }, 'application/merge-patch+json')
          .then(told);
      expect(await patch({ name: 'two' })).to.equal(
        '400 the name of the object (two) does not match the name on the URL (one)',
      );
      expect(await patch({ resourceVersion: '1' })).to.match(/^409 /);
      expect(await patch({})).to.equal(
        "500 Internal error occurred: Object 'apiVersion' is missing in 'object has no apiVersion field'",
      );
    });

    it('have replicas that are no integer beyond what integers can be', async () => {
      expect(await post(widget('one', { spec: { replicas: 1e30 } }))).to.include(
        '.spec.replicas: Invalid value: 0: .spec.replicas accessor error: 1e+30 is of the type float64, expected int64',
      );
    });

    it('hold metadata that is told of as it was given', async () => {
      const metadata = { labels: {}, name: 1, ownerReferences: [{ uid: null }] };
      expect(await post(widget('one', { spec: { emb: { apiVersion: 'v1', kind: 'X', metadata } } }))).to.equal(
        `400 Widget in version "v1" cannot be handled as a Widget: spec.emb.metadata: Invalid value: ` +
          `${JSON.stringify(metadata)}: ` +
          'json: cannot unmarshal number into Go struct field ObjectMeta.name of type string',
      );
    });

    it('are applied as far as the schema has a place for it', async () => {
      await server.ask('POST', objects, widget('one', { spec: { any: [1], open: { b: {} } } }));
      const apply = (spec: object, query = ''): ReturnType<CRDServer['ask']> =>
        server.ask(
          'PATCH',
          `${objects}/one?fieldManager=m&force=true${query}`,
          widget('one', { spec }),
          'application/apply-patch+yaml',
        );
      for (const query of ['&dryRun=All', '']) {
        // oxlint-disable-next-line no-await-in-loop -- the second one is written
        const { body } = await apply({ any: null, open: { b: { c: 1 } } }, query);
        expect(body['spec']).to.deep.equal({ open: { b: {} } });
        expect(body['metadata']).to.include({ generation: 2 });
      }
      const bare = { apiVersion: 'x.io/v1', kind: 'Widget', spec: {} };
      for (const applied of [bare, { ...bare, metadata: null }])
        // oxlint-disable-next-line no-await-in-loop -- two of them
        expect(
          (await server.ask('PATCH', `${objects}/one?fieldManager=m`, applied, 'application/apply-patch+yaml')).status,
        ).to.equal(200);
      expect(told(await apply({ emb: { apiVersion: 'v1', kind: 'X', metadata: { nope: 1 } } }))).to.match(
        /^500 failed to create typed patch object .*: .spec.emb.metadata.nope: field not declared in schema$/,
      );
    });
  });

  it('cannot be converted to be stored with malformed metadata that was applied', async () => {
    const spec = { spec: { type: 'object', properties: { a: { type: 'string' } } } };
    await server.create(crdOf('widgets', { versions: [version('v1', spec), version('v2', spec, { storage: false })] }));
    const apply = async (name: string): Promise<unknown> => {
      const body = { ...widget('one'), apiVersion: `x.io/${name}`, metadata: { name: 'one', deletionTimestamp: 'x' } };
      const path = `/apis/x.io/${name}/namespaces/default/widgets/one?fieldManager=m&dryRun=All`;
      const answer = await server.ask('PATCH', path, body, 'application/apply-patch+yaml');
      return [answer.status, answer.body['message']];
    };
    const managedFields = [{ time: 'Local' }];
    const bare = { apiVersion: 'x.io/v2', kind: 'Widget', metadata: { name: 'one', managedFields } };
    const path = '/apis/x.io/v2/namespaces/default/widgets/one?fieldManager=m&dryRun=All';
    expect((await server.ask('PATCH', path, bare, 'application/apply-patch+yaml')).status).to.equal(201);
    expect(await apply('v1')).to.deep.equal([201, undefined]);
    expect(await apply('v2')).to.deep.equal([
      500,
      'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
    ]);
  });

  it('are answered in a dry run as they would be read', async () => {
    const text = { type: 'string' };
    const spec = (properties: object): object => ({ spec: { type: 'object', properties } });
    const old = { storage: false };
    await server.create(
      crdOf('widgets', {
        versions: [version('v1', spec({ a: text, b: text }), old), version('v2', spec({ a: text }))],
      }),
    );
    const { body } = await server.ask('POST', `${objects}?dryRun=All`, widget('one', { spec: { a: '1', b: '2' } }));
    expect(body['spec']).to.deep.equal({ a: '1' });
  });

  it('are served where the conversion certificates are nothing but space', async () => {
    await server.create(crdOf('widgets'));
    await server.store.storage.guaranteedUpdate(`${server.store.keyRoot}/widgets.x.io`, ({ object }) => ({
      object: {
        ...object,
        spec: {
          ...(object?.['spec'] as object),
          conversion: {
            strategy: 'Webhook',
            webhook: {
              clientConfig: { url: 'https://hook.test', caBundle: Buffer.from(' \n').toString('base64') },
              conversionReviewVersions: ['v1'],
            },
          },
        },
      },
    }));
    expect((await server.ask('GET', objects)).status).to.equal(200);
  });
});
