import { expect } from 'chai';
import { isNotFound, type OwnerReference } from '@kubechain/apimachinery';
import type { ConfigMap } from '@kubechain/apimachinery/types/core/v1';
import { resources, type ResourceType } from '@kubechain/controllers';
import { eventually, startLiveCluster, type LiveCluster } from './live-cluster.ts';

interface Widget {
  metadata?: { name?: string; namespace?: string; uid?: string; ownerReferences?: OwnerReference[] };
}
const widgets: ResourceType<Widget> = {
  group: 'example.com',
  version: 'v1',
  resource: 'widgets',
  kind: 'Widget',
  namespaced: true,
};

describe('the garbage collector', () => {
  let cluster: LiveCluster;
  before(async () => {
    cluster = await startLiveCluster({ controllers: ['garbagecollector'] });
  });
  after(() => cluster.stop());

  const namespace = 'default';
  const configMaps = () => cluster.client.resource(resources.configmaps);

  async function make(name: string, owners: readonly ConfigMap[] = [], more: Partial<OwnerReference> = {}) {
    return configMaps().create({
      metadata: {
        namespace,
        name,
        ownerReferences: owners.map(({ metadata }) => ({
          apiVersion: 'v1',
          kind: 'ConfigMap',
          name: metadata?.name ?? '',
          uid: metadata?.uid ?? '',
          ...more,
        })),
      },
    });
  }
  /** Resolves to whether it went within five seconds. */
  const gone = (name: string): Promise<boolean> =>
    eventually(() =>
      configMaps()
        .get({ namespace, name })
        .then(
          () => false,
          (error: unknown) => isNotFound(error),
        ),
    );
  const owners = async (name: string): Promise<string[]> =>
    ((await configMaps().get({ namespace, name })).metadata?.ownerReferences ?? []).map((owner) => owner.name);

  it('deletes what is owned, and what that owns, after its owner', async () => {
    const owner = await make('b-owner');
    const child = await make('b-child', [owner]);
    await make('b-grandchild', [child]);
    await configMaps().delete({ namespace, name: 'b-owner' }, { propagationPolicy: 'Background' });
    expect(await gone('b-child')).to.equal(true);
    expect(await gone('b-grandchild')).to.equal(true);
  });

  it('deletes blocking dependents before a foreground owner, and does not wait for others', async () => {
    const owner = await make('f-owner');
    await make('f-blocking', [owner], { blockOwnerDeletion: true });
    await configMaps().patch({ namespace, name: 'f-blocking' }, { metadata: { finalizers: ['example.com/held'] } });
    await configMaps().delete({ namespace, name: 'f-owner' }, { propagationPolicy: 'Foreground' });
    await eventually(async () => {
      const { metadata } = await configMaps().get({ namespace, name: 'f-blocking' });
      return metadata?.deletionTimestamp !== undefined;
    });
    const waiting = await configMaps().get({ namespace, name: 'f-owner' });
    expect(waiting.metadata?.finalizers).to.deep.equal(['foregroundDeletion']);
    await configMaps().patch({ namespace, name: 'f-blocking' }, { metadata: { finalizers: [] } });
    expect(await gone('f-blocking')).to.equal(true);
    expect(await gone('f-owner')).to.equal(true);
  });

  it('takes the reference away from what is orphaned', async () => {
    const owner = await make('o-owner');
    await make('o-child', [owner]);
    await configMaps().delete({ namespace, name: 'o-owner' }, { propagationPolicy: 'Orphan' });
    expect(await gone('o-owner')).to.equal(true);
    expect(await owners('o-child')).to.deep.equal([]);
  });

  it('keeps what still has an owner, and takes away the reference to the one that is gone', async () => {
    const first = await make('s-first');
    const second = await make('s-second');
    await make('s-child', [first, second]);
    await configMaps().delete({ namespace, name: 's-first' }, { propagationPolicy: 'Background' });
    await configMaps().delete({ namespace, name: 's-second' }, { propagationPolicy: 'Orphan' });
    expect(await gone('s-second')).to.equal(true);
    const left = await make('s-third');
    await make('s-held', [left, first]);
    await eventually(async () => (await owners('s-held')).join() === 's-third');
  });

  it('deletes what names an owner that never was', async () => {
    await make('a-child', [{ metadata: { name: 'nobody', uid: 'b6a8a9a8-0000-4000-8000-000000000001' } }]);
    expect(await gone('a-child')).to.equal(true);
  });

  it('warns of an owner in another namespace, and deletes what names it', async () => {
    await cluster.client.resource(resources.namespaces).create({ metadata: { name: 'elsewhere' } });
    const owner = await configMaps().create({ metadata: { namespace: 'elsewhere', name: 'n-owner' } });
    await eventually(async () => (await configMaps().get({ namespace: 'elsewhere', name: 'n-owner' })) !== undefined);
    const child = await make('n-child', [owner]);
    expect(await gone('n-child')).to.equal(true);
    const event = await eventually(async () => {
      const { items } = await cluster.client.resource(resources.events).list({ namespace });
      return items.find(({ reason }) => reason === 'OwnerRefInvalidNamespace');
    });
    expect(event.message).to.equal(
      `ownerRef [v1/ConfigMap, namespace: default, name: n-owner, uid: ${owner.metadata?.uid}] does not exist ` +
        'in namespace "default"',
    );
    expect([event.involvedObject.uid, event.type, event.source?.component, event.reportingComponent]).to.deep.equal([
      child.metadata?.uid,
      'Warning',
      'garbage-collector-controller',
      'garbage-collector-controller',
    ]);
  });

  it('collects custom resources soon after they are defined', async () => {
    await cluster.client.resource(resources.customresourcedefinitions).create({
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        ],
      },
    });
    const custom = cluster.client.resource(widgets);
    const owner = await eventually(() => custom.create<Widget>({ metadata: { namespace, name: 'owner' } }));
    const reference = { apiVersion: 'example.com/v1', kind: 'Widget', name: 'owner', uid: owner.metadata?.uid ?? '' };
    await custom.create({ metadata: { namespace, name: 'child', ownerReferences: [reference] } });
    await configMaps().create({ metadata: { namespace, name: 'c-child', ownerReferences: [reference] } });
    const other = await custom.create({ metadata: { namespace, name: 'other' } });
    await custom.create({
      metadata: {
        namespace,
        name: 'both',
        ownerReferences: [reference, { ...reference, name: 'other', uid: other.metadata?.uid ?? '' }],
      },
    });
    await custom.delete({ namespace, name: 'owner' });
    expect(await gone('c-child')).to.equal(true);
    await eventually(async () => (await custom.list({ namespace })).items.length === 2);
    // No strategic merge for these: the reference goes by a merge patch.
    await eventually(async () => {
      const both = await custom.get({ namespace, name: 'both' });
      return both.metadata?.ownerReferences?.map(({ name }) => name).join() === 'other';
    });
  });
});
