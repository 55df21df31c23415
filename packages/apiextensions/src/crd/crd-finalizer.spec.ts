import { expect } from 'chai';
import type { StorageInterface } from '@kubechain/shared-storage';
import { CRDServer, crdOf } from '../testing/crd-server.ts';
import type { CRDServerOptions } from '../testing/crd-server.ts';

const objects = '/apis/x.io/v1/namespaces/default/widgets';

describe('CRDFinalizer', () => {
  let server: CRDServer;
  const start = async (options: CRDServerOptions): Promise<void> => {
    server = new CRDServer(options);
    await server.start();
    await server.create(crdOf('widgets'));
  };
  const message = async (reason: string): Promise<string> => {
    await server.until(() => server.messages('widgets', reason).length > 0, reason);
    return server.messages('widgets', reason)[0] ?? '';
  };
  afterEach(() => server.stop());

  it('waits for objects that somebody else holds, says when they take too long, and goes on', async () => {
    await start({ deletion: { limitMs: 30, longestPauseMs: 10 } });
    await server.ask('POST', objects, {
      apiVersion: 'x.io/v1',
      kind: 'Widget',
      metadata: { name: 'held', finalizers: ['x.io/mine'] },
    });
    await server.ask('POST', objects, { apiVersion: 'x.io/v1', kind: 'Widget', metadata: { name: 'free' } });
    await server.delete('widgets');
    await server.until(
      () => server.messages('widgets', 'InstanceDeletionCheck').length > 1,
      'it is tried again and again',
    );
    expect(server.messages('widgets', 'InstanceDeletionCheck')[0]).to.equal(
      'could not confirm zero CustomResources remaining: context deadline exceeded',
    );
    expect(
      ((await server.ask('GET', objects)).body['items'] as { metadata: { name: string } }[]).map(
        ({ metadata }) => metadata.name,
      ),
    ).to.deep.equal(['held']);
    expect(
      (await server.ask('PATCH', `${objects}/held`, { metadata: { finalizers: null } }, 'application/merge-patch+json'))
        .status,
    ).to.equal(200);
    await server.until(async () => (await server.get('widgets')) === undefined, 'the CRD goes');
  });

  const failures: readonly { readonly method: keyof StorageInterface; readonly text: string }[] = [
    { method: 'getList', text: 'could not list instances: storage is away' },
    { method: 'delete', text: 'could not issue all deletes: storage is away' },
  ];
  for (const { method, text } of failures) {
    it(`says when ${method} fails, and tries again`, async () => {
      let broken = true;
      const wrap = (storage: StorageInterface): StorageInterface =>
        new Proxy(storage, {
          get: (target, name) =>
            name === method && broken ? () => Promise.reject(new Error('storage is away')) : bound(target, name),
        });
      await start({ wrap });
      await server.ask('POST', objects, { apiVersion: 'x.io/v1', kind: 'Widget', metadata: { name: 'one' } });
      await server.delete('widgets');
      expect(await message('InstanceDeletionFailed')).to.equal(text);
      broken = false;
      await server.until(async () => (await server.get('widgets')) === undefined, 'the CRD goes');
    });
  }

  it('leaves what belongs to the server alone', async () => {
    await start({});
    await server.plant({
      ...crdOf('customresourcedefinitions'),
      metadata: {
        name: 'customresourcedefinitions.apiextensions.k8s.io',
        finalizers: ['customresourcecleanup.apiextensions.k8s.io', 'x.io/mine'],
        deletionTimestamp: '2026-01-01T00:00:00Z',
      },
      spec: { ...(crdOf('customresourcedefinitions')['spec'] as object), group: 'apiextensions.k8s.io' },
    });
    const stored = async (): Promise<string> =>
      JSON.stringify(
        (
          await server.store.storage.get(`${server.store.keyRoot}/customresourcedefinitions.apiextensions.k8s.io`)
        )?.object(),
      );
    await server.until(async () => (await stored()).includes('"OverlappingBuiltInResource"'), 'the finalizer ran');
    expect(await stored()).to.include('"finalizers":["x.io/mine"]');
  });

  it('has a dry run answer what a deletion would', async () => {
    await start({});
    const { body, status } = await server.ask(
      'DELETE',
      '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.x.io?dryRun=All',
    );
    expect(status).to.equal(200);
    expect(JSON.stringify(body)).to.include('"deletionTimestamp"').and.include('"InstanceDeletionPending"');
    expect(body['metadata']).to.deep.include({ finalizers: ['customresourcecleanup.apiextensions.k8s.io'] });
    expect(server.events('widgets').join()).to.not.include('Terminating');
    expect((await server.get('widgets'))?.metadata.deletionTimestamp).to.equal(undefined);
  });

  it('is not asked when a collection of CRDs is deleted, as in the reference', async () => {
    await start({});
    expect((await server.ask('DELETE', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions')).status).to.equal(
      200,
    );
    expect(server.events('widgets').at(-1) ?? '').to.match(/^DELETED/);
    expect(server.events('widgets').join()).to.not.include('Terminating');
  });
});

function bound(target: StorageInterface, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name);
  return typeof value === 'function' ? (value.bind(target) as unknown) : value;
}
