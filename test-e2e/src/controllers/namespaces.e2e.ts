import { expect } from 'chai';
import { isNotFound } from '@kubechain/apimachinery';
import { resources } from '@kubechain/controllers';
import { eventually, startLiveCluster, type LiveCluster } from './live-cluster.ts';

describe('the namespace controller', () => {
  let cluster: LiveCluster;
  before(async () => {
    cluster = await startLiveCluster({ controllers: ['namespace'] });
  });
  after(() => cluster.stop());

  const gone = (name: string): Promise<boolean> =>
    eventually(
      () =>
        cluster.client
          .resource(resources.namespaces)
          .get({ name })
          .then(
            () => false,
            (error: unknown) => isNotFound(error),
          ),
      { withinMs: 20_000 },
    );

  it('empties a namespace that is deleted, and lets it go', async () => {
    const { client } = cluster;
    const namespace = 'full';
    await client.resource(resources.namespaces).create({ metadata: { name: namespace } });
    await client.resource(resources.configmaps).create({ metadata: { namespace, name: 'a' } });
    await client.resource(resources.secrets).create({ metadata: { namespace, name: 'a' } });
    await client
      .resource(resources.services)
      .create({ metadata: { namespace, name: 'a' }, spec: { ports: [{ port: 80 }] } });
    await client.resource(resources.serviceaccounts).create({ metadata: { namespace, name: 'default' } });
    await client.resource(resources.pods).create({
      metadata: { namespace, name: 'a' },
      spec: { containers: [{ name: 'c', image: 'nginx' }] },
    });
    await client.resource(resources.namespaces).delete({ name: namespace });
    expect(await gone(namespace)).to.equal(true);
  });

  it('says in conditions what holds it', async () => {
    const { client } = cluster;
    const namespace = 'held';
    const configMaps = client.resource(resources.configmaps);
    await client.resource(resources.namespaces).create({ metadata: { name: namespace } });
    await configMaps.create({ metadata: { namespace, name: 'a', finalizers: ['example.com/held'] } });
    await client.resource(resources.namespaces).delete({ name: namespace });
    const { status } = await eventually(
      async () => {
        const found = await client.resource(resources.namespaces).get({ name: namespace });
        return found.status?.conditions === undefined ? undefined : found;
      },
      { withinMs: 15_000 },
    );
    expect(status?.phase).to.equal('Terminating');
    expect(status?.conditions?.map((each) => [each.type, each.status, each.reason, each.message])).to.deep.equal([
      ['NamespaceDeletionDiscoveryFailure', 'False', 'ResourcesDiscovered', 'All resources successfully discovered'],
      [
        'NamespaceDeletionGroupVersionParsingFailure',
        'False',
        'ParsedGroupVersions',
        'All legacy kube types successfully parsed',
      ],
      [
        'NamespaceDeletionContentFailure',
        'False',
        'ContentDeleted',
        'All content successfully deleted, may be waiting on finalization',
      ],
      [
        'NamespaceContentRemaining',
        'True',
        'SomeResourcesRemain',
        'Some resources are remaining: configmaps. has 1 resource instances',
      ],
      [
        'NamespaceFinalizersRemaining',
        'True',
        'SomeFinalizersRemain',
        'Some content in the namespace has finalizers remaining: example.com/held in 1 resource instances',
      ],
    ]);
    await configMaps.patch({ namespace, name: 'a' }, { metadata: { finalizers: [] } });
    expect(await gone(namespace)).to.equal(true);
  });
});
