// Faults: what a cluster does once in a thousand times, when a test asks for it.
import assert from 'node:assert/strict';
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { inBothTopologies } from './topologies.js';

const namespace = 'default';

/** What is tested: adds one to a counter, and starts again where another writer was faster. */
async function increment(core, name) {
  for (;;) {
    const body = await core.readNamespacedConfigMap({ namespace, name });
    body.data.count = String(Number(body.data.count) + 1);
    try {
      return await core.replaceNamespacedConfigMap({ namespace, name, body });
    } catch (error) {
      if (error.code !== 409) throw error;
    }
  }
}

inBothTopologies('faults', (env) => {
  let core;
  before(async () => {
    const config = new KubeConfig();
    config.loadFromOptions(env().kubeConfig);
    core = config.makeApiClient(CoreV1Api);
  });
  beforeEach(async () => {
    await env().snapshots.reset();
    await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: 'counter' }, data: { count: '0' } } });
  });
  afterEach(() => env().faults.clear());

  it('counts on when it meets conflicts', async () => {
    const fault = await env().faults.add({
      match: { verbs: ['update'], resources: ['configmaps'] },
      effect: { kind: 'conflict' },
      count: 3,
    });
    assert.equal((await increment(core, 'counter')).data.count, '1');
    assert.equal(await fault.happened(), 3);
  });

  it('tells the caller of a write that took effect, though nobody was told', async () => {
    await env().faults.add({ match: { verbs: ['update'] }, effect: { kind: 'cut', when: 'after' }, count: 1 });
    await assert.rejects(increment(core, 'counter'));
    assert.equal((await core.readNamespacedConfigMap({ namespace, name: 'counter' })).data.count, '1');
  });
});
