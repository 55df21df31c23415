import { expect } from 'chai';
import { resources, type ResourceType } from '@kubechain/controllers';
import type { KubeObject, ObjectMeta } from '@kubechain/apimachinery';
import { eventually, startLiveCluster, type LiveCluster } from './live-cluster.ts';

interface Migration extends KubeObject {
  readonly metadata: ObjectMeta;
  readonly spec: { readonly resource: { readonly group?: string; readonly resource: string } };
  readonly status?: {
    readonly resourceVersion?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message: string }[];
  };
}
type Widget = KubeObject & { readonly metadata: ObjectMeta };

const group = 'example.com';
const definition = `widgets.${group}`;
const widgets: ResourceType<Widget> = { group, version: 'v1', resource: 'widgets', kind: 'Widget', namespaced: false };

/** Releases, and what there is to be said for them to have migrations. */
const releases: readonly (readonly [release: string, version: string, flags: readonly string[]])[] = [
  ['1.37', 'v1', ['--kubernetes-version=1.37']],
  [
    '1.36',
    'v1beta1',
    ['--feature-gates=StorageVersionMigrator=true', '--runtime-config=storagemigration.k8s.io/v1beta1=true'],
  ],
];

/** Messages and marks are those of kube-controller-manager 1.37 (pkg/controller/storageversionmigrator). */
for (const [release, apiVersion, flags] of releases)
  describe(`the storage version migrator of ${release}`, () => {
    const migrations: ResourceType<Migration> = {
      group: 'storagemigration.k8s.io',
      version: apiVersion,
      resource: 'storageversionmigrations',
      kind: 'StorageVersionMigration',
      namespaced: false,
    };
    let cluster: LiveCluster;
    before(async () => {
      cluster = await startLiveCluster({ controllers: ['svm'], flags: [...flags] });
    });
    after(() => cluster.stop());

    const migrated = (name: string): Promise<Migration> =>
      eventually(
        async () => {
          const migration = await cluster.client.resource(migrations).get({ name });
          const ended = migration.status?.conditions?.some(
            ({ type, status }) => type === 'Running' && status === 'False',
          );
          return ended === true ? migration : undefined;
        },
        { withinMs: 60_000 },
      );
    const told = ({ status }: Migration): readonly string[] =>
      (status?.conditions ?? []).map((each) => `${each.type}=${each.status}: ${each.message}`);
    const version = (name: 'v1' | 'v2', storage: boolean): object => ({
      name,
      storage,
      served: true,
      schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    });

    it('writes what is stored in an older version, and forgets that version', async () => {
      const { client } = cluster;
      const definitions = client.resource(resources.customresourcedefinitions);
      await definitions.create({
        metadata: { name: definition },
        spec: {
          group,
          scope: 'Cluster',
          names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
          versions: [version('v1', true), version('v2', false)],
        },
      });
      const create = (name: string): Promise<Widget> =>
        eventually(() => client.resource(widgets).create({ metadata: { name } }), { withinMs: 60_000 });
      const old = await create('old');
      await definitions.patch(
        { name: definition },
        { spec: { versions: [version('v1', false), version('v2', true)] } },
      );
      const fresh = await eventually(
        async () => {
          const { status } = await definitions.get({ name: definition });
          return status?.storedVersions?.includes('v2') === true && create(`fresh-${performance.now().toFixed()}`);
        },
        { withinMs: 60_000 },
      );
      await client
        .resource(migrations)
        .create({ metadata: { name: 'm' }, spec: { resource: { group, resource: 'widgets' } } });
      expect(told(await migrated('m'))).to.deep.equal([
        'Running=False: Migration completed',
        'Succeeded=True: Migration completed',
      ]);
      const { status } = await definitions.get({ name: definition });
      expect(status?.storedVersions).to.deep.equal(['v2']);
      const mark = status?.conditions?.find(({ type }) => type === 'StorageMigrating');
      expect([mark?.status, mark?.reason, mark?.message]).to.deep.equal([
        'False',
        'MigrationSucceeded',
        'The migration has succeeded and the stored versions have been updated',
      ]);
      const versionOf = async ({ metadata: { name = '' } }: Widget): Promise<string | undefined> =>
        (await client.resource(widgets).get({ name })).metadata.resourceVersion;
      expect(await versionOf(old)).to.not.equal(old.metadata.resourceVersion);
      expect(await versionOf(fresh)).to.equal(fresh.metadata.resourceVersion);
    });

    it('migrates built-in resources, one migration of a resource after the other', async () => {
      const { client } = cluster;
      for (const name of ['first', 'second'])
        await client
          .resource(migrations)
          .create({ metadata: { name }, spec: { resource: { resource: 'configmaps' } } });
      for (const name of ['first', 'second'])
        expect(told(await migrated(name))[1]).to.equal('Succeeded=True: Migration completed');
    });

    it('fails for what cannot be patched', async () => {
      const { client } = cluster;
      const resource = { group: 'authorization.k8s.io', resource: 'subjectaccessreviews' };
      await client.resource(migrations).create({ metadata: { name: 'review' }, spec: { resource } });
      expect(told(await migrated('review'))[1]).to.equal(
        'Failed=True: resource "authorization.k8s.io/v1, Resource=subjectaccessreviews" does not support discovery ' +
          'operations: [update patch list]',
      );
    });
  });
