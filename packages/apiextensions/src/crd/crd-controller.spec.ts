import { expect } from 'chai';
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
    expect((await server.create(crdOf('widgets'))).status).to.equal(201);
    expect(server.events('widgets')).to.deep.equal([
      'ADDED',
      'MODIFIED NamesAccepted=True/NoConflicts Established=False/Installing',
      `MODIFIED ${established}`,
    ]);
    expect((await server.ask('POST', objects, widget('one'))).status).to.equal(201);
  });

  it('gives a name to one of two CRDs that are made at the same time, and to the other when it is free', async () => {
    const named = (plural: string): ReturnType<typeof crdOf> =>
      crdOf(plural, { names: { plural, singular: `${plural}1`, kind: 'Same', listKind: `${plural}List` } });
    await Promise.all([server.create(named('widgets')), server.create(named('gadgets'))]);
    const [first = '', second = ''] =
      (await server.condition('widgets', 'Established')) === 'True InitialNamesAccepted'
        ? ['widgets', 'gadgets']
        : ['gadgets', 'widgets'];
    expect(await server.condition(first, 'NamesAccepted')).to.equal('True NoConflicts');
    expect([
      await server.condition(second, 'NamesAccepted'),
      await server.condition(second, 'Established'),
    ]).to.deep.equal(['False KindConflict', 'False NotAccepted']);
    expect((await server.ask('GET', `/apis/x.io/v1/${second}`)).status).to.equal(404);
    await server.delete(first);
    await server.until(
      async () => (await server.condition(second, 'Established')) === 'True InitialNamesAccepted',
      'the second CRD is established',
    );
    expect((await server.ask('GET', `/apis/x.io/v1/${second}`)).status).to.equal(200);
  });

  it('looks again at a refused CRD when an update of another frees its name', async () => {
    const short = (plural: string): ReturnType<typeof crdOf> =>
      crdOf(plural, { names: { plural, kind: `${plural}Kind`, shortNames: ['s'] } });
    await server.create(short('widgets'));
    await server.create(short('gadgets'));
    expect(await server.condition('gadgets', 'NamesAccepted')).to.equal('False ShortNamesConflict');
    await server.patch('widgets', { spec: { names: { shortNames: ['t'] } } });
    await server.until(
      async () => (await server.condition('gadgets', 'NamesAccepted')) === 'True NoConflicts',
      'the short name is accepted',
    );
    expect((await server.get('gadgets'))?.status?.acceptedNames?.shortNames).to.deep.equal(['s']);
  });

  it('does not establish a CRD whose conversion certificates cannot be read', async () => {
    await server.create(crdOf('widgets', { conversion: webhook(notPEM) }));
    expect(await server.condition('widgets', 'Established')).to.equal('False InvalidCABundle');
    const { body, status } = await server.ask('GET', objects);
    expect([status, body['reason'], body['message']]).to.deep.equal([
      500,
      'InternalError',
      'Internal error occurred: error resolving resource',
    ]);
    expect((await server.ask('GET', '/apis/x.io/v1')).status).to.equal(404);
    await server.patch('widgets', { spec: { conversion: { strategy: 'None', webhook: null } } });
    expect(await server.condition('widgets', 'Established')).to.equal('True InitialNamesAccepted');
    expect((await server.ask('GET', objects)).status).to.equal(200);
  });

  it('leaves a CRD alone that has its names but no conditions, as the reference does', async () => {
    await server.create(crdOf('widgets'));
    await server.patchStatus('widgets', { status: { conditions: [] } });
    expect((await server.ask('GET', objects)).status).to.equal(404);
    expect((await server.get('widgets'))?.status?.conditions ?? []).to.deep.equal([]);
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
    expect(await server.condition('widgets', 'Established')).to.equal('True InitialNamesAccepted');
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
    expect(message).to.equal(
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
    expect(status).to.equal(200);
    expect(await server.condition('widgets', 'NonStructuralSchema')).to.equal(undefined);
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
    expect(await server.condition('widgets', 'Established')).to.equal('True InitialNamesAccepted');
    expect(await server.condition('widgets', 'NonStructuralSchema')).to.equal(undefined);
  });

  it('lets metadata be changed with the status, and no spec', async () => {
    await server.create(crdOf('widgets'));
    const { status } = await server.patchStatus('widgets', {
      metadata: { labels: { a: 'b' } },
      spec: { scope: 'Cluster' },
    });
    const crd = await server.get('widgets');
    expect([status, crd?.metadata.labels, crd?.spec.scope]).to.deep.equal([200, { a: 'b' }, 'Namespaced']);
  });

  describe('deletion', () => {
    const inProgress = `${established} Terminating=True/InstanceDeletionInProgress`;

    it('is seen as two changes and the end', async () => {
      await server.create(crdOf('widgets'));
      await server.ask('POST', objects, widget('one'));
      await server.delete('widgets');
      await server.until(async () => (await server.get('widgets')) === undefined, 'the CRD is gone');
      expect(server.events('widgets').slice(3)).to.deep.equal([
        `MODIFIED ${established} Terminating=True/InstanceDeletionPending`,
        `MODIFIED ${inProgress}`,
        `DELETED ${inProgress}`,
      ]);
      expect((await server.ask('GET', objects)).status).to.equal(404);
    });

    it('says how it ended where another finalizer holds the CRD', async () => {
      await server.create(crdOf('widgets', {}, { finalizers: ['x.io/mine'] }));
      await server.delete('widgets');
      await server.until(
        async () => (await server.condition('widgets', 'Terminating')) === 'False InstanceDeletionCompleted',
        'the objects are gone',
      );
      expect((await server.get('widgets'))?.metadata.finalizers).to.deep.equal(['x.io/mine']);
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
      expect(status).to.equal(200);
      const refused = await server.ask('POST', objects, widget('two'));
      expect([refused.status, refused.body['message']]).to.deep.equal([
        403,
        'widgets.x.io "two" is forbidden: create not allowed while custom resource definition is terminating',
      ]);
      expect(
        (await server.ask('PATCH', `${objects}/one`, { spec: { a: 1 } }, 'application/merge-patch+json')).status,
      ).to.equal(200);
      const { resources } = (await server.ask('GET', '/apis/x.io/v1')).body as { resources: { verbs: string[] }[] };
      expect(resources[0]?.verbs).to.deep.equal(['delete', 'deletecollection', 'get', 'list', 'watch']);
      await server.patchStatus('widgets', {
        status: {
          conditions: [
            { type: 'NamesAccepted', status: 'True' },
            { type: 'Established', status: 'True' },
          ],
        },
      });
      expect((await server.ask('POST', objects, widget('two'))).status).to.equal(201);
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
      expect(resources.map(({ name }) => name)).to.deep.equal(['widgets', 'widgets/status', 'widgets/scale']);
      expect(resources[0]?.verbs).to.deep.equal([
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

    it('hides custom resources of its own group behind what is built in there', async () => {
      const group = 'apiextensions.k8s.io';
      const definition = crdOf('gadgets', {
        group,
        versions: ['v1', 'v2'].map((name) => ({
          name,
          served: true,
          storage: name === 'v1',
          schema: { openAPIV3Schema: { type: 'object' } },
        })),
      });
      const metadata = { name: `gadgets.${group}`, annotations: { 'api-approved.kubernetes.io': 'https://x.test/1' } };
      expect((await server.create({ ...definition, metadata })).status).to.equal(201);
      const status = async (path: string): Promise<number> => (await server.ask('GET', path)).status;
      for (const version of ['v1', 'v2']) {
        expect(await status(`/apis/${group}/${version}/gadgets`)).to.equal(404);
        expect(await status(`/apis/${group}/${version}/namespaces/default/gadgets/a`)).to.equal(404);
      }
      expect(await status(`/apis/${group}/v2`)).to.equal(404);
      const { resources } = (await server.ask('GET', `/apis/${group}/v1`)).body as { resources: { name: string }[] };
      expect(resources.map(({ name }) => name)).not.to.include('gadgets');
      expect((await server.ask('GET', `/apis/${group}`)).body['versions']).to.deep.equal([
        { groupVersion: `${group}/v2`, version: 'v2' },
        { groupVersion: `${group}/v1`, version: 'v1' },
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
      expect(await hash()).to.equal(true);
      await server.patch('widgets', { spec: { versions: [version('v1', true, false), version('v2', false, true)] } });
      expect(await hash()).to.equal(false);
    });
  });
});
