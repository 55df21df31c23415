// The clock: what an hour brings, without waiting for it.
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { inBothTopologies } from './topologies.js';

const namespace = 'default';

inBothTopologies('the clock', (env) => {
  let core;
  before(() => {
    const config = new KubeConfig();
    config.loadFromOptions(env().kubeConfig);
    core = config.makeApiClient(CoreV1Api);
  });
  afterEach(() => env().clock.reset());

  it('tells objects how old they are', async () => {
    await env().clock.freeze();
    await env().clock.set('2040-01-01T00:00:00Z');
    const { metadata } = await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: 'boat' } } });
    assert.equal(metadata.creationTimestamp.toISOString(), '2040-01-01T00:00:00.000Z');
    await env().clock.advance('36h');
    assert.equal((await env().clock.now()).toISOString(), '2040-01-02T12:00:00.000Z');
  });

  it('takes events away after an hour', async () => {
    const involvedObject = { kind: 'ConfigMap', namespace, name: 'boat' };
    await core.createNamespacedEvent({ namespace, body: { metadata: { name: 'sails-set' }, involvedObject } });
    await env().clock.advance('2h');
    const events = async () => (await core.listNamespacedEvent({ namespace })).items.length;
    while ((await events()) > 0) await delay(20);
  });
});
