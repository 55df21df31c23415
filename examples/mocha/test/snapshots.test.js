// Snapshots: what takes long to set up is set up once, and each test begins with it.
import assert from 'node:assert/strict';
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { inBothTopologies } from './topologies.js';

const namespace = 'default';

function clientOf({ kubeConfig }) {
  const config = new KubeConfig();
  config.loadFromOptions(kubeConfig);
  return config.makeApiClient(CoreV1Api);
}

inBothTopologies('snapshots', (env) => {
  let core;
  before(async () => {
    core = clientOf(env());
    for (let i = 0; i < 100; i++)
      await core.createNamespacedConfigMap({
        namespace,
        body: { metadata: { name: `boat-${i}` }, data: { sails: 'up' } },
      });
    await env().snapshots.save('fleet');
  });
  beforeEach(() => env().snapshots.restore('fleet'));

  const boats = async (client) =>
    (await client.listNamespacedConfigMap({ namespace })).items.filter(({ metadata }) =>
      metadata.name.startsWith('boat-'),
    );

  it('lets a test sink the fleet', async () => {
    await core.deleteCollectionNamespacedConfigMap({ namespace });
    assert.equal((await boats(core)).length, 0);
  });

  it('has it back for the next one', async () => {
    assert.equal((await boats(core)).length, 100);
  });

  it('goes two ways from here', async () => {
    await using other = await env().fork();
    await core.deleteCollectionNamespacedConfigMap({ namespace });
    assert.equal((await boats(core)).length, 0);
    assert.equal((await boats(clientOf(other))).length, 100);
  });
});
