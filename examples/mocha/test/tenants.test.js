// Tenants: a chain for each test, all of them in one process and on one port.
import assert from 'node:assert/strict';
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { inBothTopologies } from './topologies.js';

const namespace = 'default';
const body = { metadata: { name: 'mine' } };

inBothTopologies('tenants', (env) => {
  const coreOf = (tenant) => {
    const config = new KubeConfig();
    config.loadFromOptions(tenant.kubeConfig);
    return config.makeApiClient(CoreV1Api);
  };

  it('see nothing of each other', async () => {
    await using one = await env().tenant('one');
    await using other = await env().tenant('other');
    await coreOf(one).createNamespacedConfigMap({ namespace, body });
    await assert.rejects(coreOf(other).readNamespacedConfigMap({ namespace, name: 'mine' }), { code: 404 });
    assert.equal((await one.journal.find({ verb: 'create' })).length, 1);
    await other.journal.expectNoWrites();
  });

  it('are gone with all they hold when they end', async () => {
    await using one = await env().tenant('one');
    await assert.rejects(coreOf(one).readNamespacedConfigMap({ namespace, name: 'mine' }), { code: 404 });
  });
});
