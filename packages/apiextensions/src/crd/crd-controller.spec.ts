import { assert } from 'chai';
import { CRDServer, crdOf } from '../testing/crd-server.ts';

const objects = '/apis/x.io/v1/namespaces/default/widgets';
const widget = (name: string, metadata: object = {}): object => ({
  apiVersion: 'x.io/v1',
  kind: 'Widget',
  metadata: { name, ...metadata },
});
const webhook = (caBundle: string): object => ({
  strategy: 'Webhook',
  webhook: { clientConfig: { url: 'https://hook.test', caBundle }, conversionReviewVersions: ['v1'] },
});
const notPEM = Buffer.from('not PEM').toString('base64');
const established = 'NamesAccepted=True/NoConflicts Established=True/InitialNamesAccepted';

describe('CRDController', () => {
  let server: CRDServer;

  beforeEach(async () => {
    server = new CRDServer();
    await server.start();
  });
  afterEach(() => server.stop());

  it('accepts names, then establishes: two writes, before the client is answered', async () => {
    assert.equal((await server.create(crdOf('widgets'))).status, 201);
    assert.deepEqual(server.events('widgets'), [
      'ADDED',
      'MODIFIED NamesAccepted=True/NoConflicts Established=False/Installing',
      `MODIFIED ${established}`,
    ]);
    assert.equal((await server.ask('POST', objects, widget('one'))).status, 201);
  });

  it('gives a name to one of two CRDs that are made at the same time, and to the other when it is free', async () => {
    const named = (plural: string): ReturnType<typeof crdOf> =>
      crdOf(plural, { names: { plural, singular: `${plural}1`, kind: 'Same', listKind: `${plural}List` } });
    await Promise.all([server.create(named('widgets')), server.create(named('gadgets'))]);
    const [first = '', second = ''] =
      (await server.condition('widgets', 'Established')) === 'True InitialNamesAccepted'
        ? ['widgets', 'gadgets']
        : ['gadgets', 'widgets'];
    assert.equal(await server.condition(first, 'NamesAccepted'), 'True NoConflicts');
    assert.deepEqual(
      [await server.condition(second, 'NamesAccepted'), await server.condition(second, 'Established')],
      ['False KindConflict', 'False NotAccepted'],
    );
    assert.equal((await server.ask('GET', `/apis/x.io/v1/${second}`)).status, 404);
    await server.delete(first);
    await server.until(
      async () => (await server.condition(second, 'Established')) === 'True InitialNamesAccepted',
      'the second CRD is established',
    );
    assert.equal((await server.ask('GET', `/apis/x.io/v1/${second}`)).status, 200);
  });

  it('looks again at a refused CRD when an update of another frees its name', async () => {
    const short = (plural: string): ReturnType<typeof crdOf> =>
      crdOf(plural, { names: { plural, kind: `${plural}Kind`, shortNames: ['s'] } });
    await server.create(short('widgets'));
    await server.create(short('gadgets'));
    assert.equal(await server.condition('gadgets', 'NamesAccepted'), 'False ShortNamesConflict');
    await server.patch('widgets', { spec: { names: { shortNames: ['t'] } } });
    await server.until(
      async () => (await server.condition('gadgets', 'NamesAccepted')) === 'True NoConflicts',
      'the short name is accepted',
    );
    assert.deepEqual((await server.get('gadgets'))?.status?.acceptedNames?.shortNames, ['s']);
  });

  it('does not establish a CRD whose conversion certificates cannot be read', async () => {
    await server.create(crdOf('widgets', { conversion: webhook(notPEM) }));
    assert.equal(await server.condition('widgets', 'Established'), 'False InvalidCABundle');
    const { body, status } = await server.ask('GET', objects);
    assert.deepEqual(
      [status, body['reason'], body['message']],
      [500, 'InternalError', 'Internal error occurred: error resolving resource'],
    );
    assert.equal((await server.ask('GET', '/apis/x.io/v1')).status, 404);
    await server.patch('widgets', { spec: { conversion: { strategy: 'None', webhook: null } } });
    assert.equal(await server.condition('widgets', 'Established'), 'True InitialNamesAccepted');
    assert.equal((await server.ask('GET', objects)).status, 200);
  });

  it('leaves a CRD alone that has its names but no conditions, as the reference does', async () => {
    await server.create(crdOf('widgets'));
    await server.patchStatus('widgets', { status: { conditions: [] } });
    assert.equal((await server.ask('GET', objects)).status, 404);
    assert.deepEqual((await server.get('widgets'))?.status?.conditions ?? [], []);
  });

  it('establishes again what somebody says is not established', async () => {
    await server.create(crdOf('widgets'));
    await server.patchStatus('widgets', {
      status: {
        conditions: [
          { type: 'NamesAccepted', status: 'True' },
          { type: 'Established', status: 'False' },
        ],
      },
    });
    assert.equal(await server.condition('widgets', 'Established'), 'True InitialNamesAccepted');
  });

  it('says what keeps a stored schema from being structural, until it is', async () => {
    const schema = { openAPIV3Schema: { type: 'object', properties: { a: {} } } };
    await server.plant(
      crdOf('widgets', {
        preserveUnknownFields: true,
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      }),
    );
    await server.until(
      async () => (await server.condition('widgets', 'NonStructuralSchema')) === 'True Violations',
      'the condition is there',
    );
    const message = (await server.get('widgets'))?.status?.conditions?.find(
      ({ type }) => type === 'NonStructuralSchema',
    )?.message;
    assert.equal(
      message,
      '[spec.preserveUnknownFields: Invalid value: true: must be false, ' +
        'spec.versions[0].schema.openAPIV3Schema.properties[a].type: Required value: must not be empty for ' +
        'specified object fields]',
    );
    const { status } = await server.patch('widgets', {
      spec: {
        preserveUnknownFields: false,
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    });
    assert.equal(status, 200);
    assert.isUndefined(await server.condition('widgets', 'NonStructuralSchema'));
  });

  it('does not take a CRD for the one of the same name before it', async () => {
    const old = { preserveUnknownFields: true };
    await server.plant(crdOf('widgets', old));
    await server.until(
      async () => (await server.condition('widgets', 'NonStructuralSchema')) === 'True Violations',
      'the condition is there',
    );
    await server.store.storage.delete(`${server.store.keyRoot}/widgets.x.io`);
    await server.create(crdOf('widgets'));
    assert.equal(await server.condition('widgets', 'Established'), 'True InitialNamesAccepted');
    assert.isUndefined(await server.condition('widgets', 'NonStructuralSchema'));
  });

  it('lets metadata be changed with the status, and no spec', async () => {
    await server.create(crdOf('widgets'));
    const { status } = await server.patchStatus('widgets', {
      metadata: { labels: { a: 'b' } },
      spec: { scope: 'Cluster' },
    });
    const crd = await server.get('widgets');
    assert.deepEqual([status, crd?.metadata.labels, crd?.spec.scope], [200, { a: 'b' }, 'Namespaced']);
  });

  describe('deletion', () => {
    const inProgress = `${established} Terminating=True/InstanceDeletionInProgress`;

    it('is seen as two changes and the end', async () => {
      await server.create(crdOf('widgets'));
      await server.ask('POST', objects, widget('one'));
      await server.delete('widgets');
      await server.until(async () => (await server.get('widgets')) === undefined, 'the CRD is gone');
      assert.deepEqual(server.events('widgets').slice(3), [
        `MODIFIED ${established} Terminating=True/InstanceDeletionPending`,
        `MODIFIED ${inProgress}`,
        `DELETED ${inProgress}`,
      ]);
      assert.equal((await server.ask('GET', objects)).status, 404);
    });

    it('says how it ended where another finalizer holds the CRD', async () => {
      await server.create(crdOf('widgets', {}, { finalizers: ['x.io/mine'] }));
      await server.delete('widgets');
      await server.until(
        async () => (await server.condition('widgets', 'Terminating')) === 'False InstanceDeletionCompleted',
        'the objects are gone',
      );
      assert.deepEqual((await server.get('widgets'))?.metadata.finalizers, ['x.io/mine']);
    });

    it('does not look for objects of a CRD that was never established', async () => {
      await server.create(crdOf('gadgets'));
      await server.create(
        crdOf(
          'widgets',
          { names: { plural: 'widgets', singular: 'widget', kind: 'Gadget', listKind: 'GadgetList' } },
          { finalizers: ['x.io/mine'] },
        ),
      );
      await server.delete('widgets');
      await server.until(
        async () => (await server.condition('widgets', 'Terminating')) === 'False NeverEstablished',
        'the finalizer ran',
      );
    });

    it('refuses new objects, and says so in discovery, while the condition says Terminating', async () => {
      await server.create(crdOf('widgets'));
      await server.ask('POST', objects, widget('one'));
      const { status } = await server.patchStatus('widgets', {
        status: {
          conditions: [
            { type: 'NamesAccepted', status: 'True' },
            { type: 'Established', status: 'True' },
            { type: 'Terminating', status: 'True' },
          ],
        },
      });
      assert.equal(status, 200);
      const refused = await server.ask('POST', objects, widget('two'));
      assert.deepEqual(
        [refused.status, refused.body['message']],
        [403, 'widgets.x.io "two" is forbidden: create not allowed while custom resource definition is terminating'],
      );
      assert.equal(
        (await server.ask('PATCH', `${objects}/one`, { spec: { a: 1 } }, 'application/merge-patch+json')).status,
        200,
      );
      const { resources } = (await server.ask('GET', '/apis/x.io/v1')).body as { resources: { verbs: string[] }[] };
      assert.deepEqual(resources[0]?.verbs, ['delete', 'deletecollection', 'get', 'list', 'watch']);
      await server.patchStatus('widgets', {
        status: {
          conditions: [
            { type: 'NamesAccepted', status: 'True' },
            { type: 'Established', status: 'True' },
          ],
        },
      });
      assert.equal((await server.ask('POST', objects, widget('two'))).status, 201);
    });
  });

  describe('discovery', () => {
    it('lists status before scale, in the order of verbs that CRDs have', async () => {
      const subresources = {
        status: {},
        scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
      };
      await server.create(
        crdOf('widgets', {
          versions: [
            { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } }, subresources },
          ],
        }),
      );
      const { resources } = (await server.ask('GET', '/apis/x.io/v1')).body as {
        resources: { name: string; verbs: string[] }[];
      };
      assert.deepEqual(
        resources.map(({ name }) => name),
        ['widgets', 'widgets/status', 'widgets/scale'],
      );
      assert.deepEqual(resources[0]?.verbs, [
        'delete',
        'deletecollection',
        'get',
        'list',
        'patch',
        'create',
        'update',
        'watch',
      ]);
    });

    it('has a hash of the storage version only where that is served', async () => {
      const version = (name: string, served: boolean, storage: boolean): object => ({
        name,
        served,
        storage,
        schema: { openAPIV3Schema: { type: 'object' } },
      });
      const hash = async (): Promise<boolean> =>
        'storageVersionHash' in
        ((await server.ask('GET', '/apis/x.io/v1')).body as { resources: object[] }).resources[0]!;
      await server.create(crdOf('widgets', { versions: [version('v1', true, false), version('v2', true, true)] }));
      assert.isTrue(await hash());
      await server.patch('widgets', { spec: { versions: [version('v1', true, false), version('v2', false, true)] } });
      assert.isFalse(await hash());
    });
  });
});
