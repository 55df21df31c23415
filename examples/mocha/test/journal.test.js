// The journal: what a controller has really asked for.
import assert from 'node:assert/strict';
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { inBothTopologies } from './topologies.js';

const namespace = 'default';

/** What is tested: makes a config map as it should be, and leaves it alone when it is. */
async function reconcile(core, data) {
  const { items } = await core.listNamespacedConfigMap({ namespace, labelSelector: 'app=boat' });
  const [found] = items;
  const body = { metadata: { name: 'boat', labels: { app: 'boat' } }, data };
  if (found === undefined) await core.createNamespacedConfigMap({ namespace, body });
  else if (JSON.stringify(found.data) !== JSON.stringify(data))
    await core.replaceNamespacedConfigMap({ namespace, name: 'boat', body });
}

inBothTopologies('the journal', (env) => {
  let core;
  before(() => {
    const config = new KubeConfig();
    config.loadFromOptions(env().kubeConfig);
    core = config.makeApiClient(CoreV1Api);
  });

  it('shows that nothing is written when there is nothing to do', async () => {
    await reconcile(core, { sails: 'up' });
    const mark = await env().journal.mark();
    await reconcile(core, { sails: 'up' });
    await env().journal.expectNoWrites({ since: mark });
    await reconcile(core, { sails: 'down' });
    await env().journal.expectAtMost(1, { since: mark, verb: 'update', resource: 'configmaps' });
  });

  it('finds who goes round in circles', async () => {
    const mark = await env().journal.mark();
    for (let i = 0; i < 20; i++) await reconcile(core, { sails: 'down' });
    const [loop] = await env().journal.hotLoops(3, { since: mark });
    assert.equal(loop.verb, 'list');
    assert.deepEqual(await env().journal.conflicts({ since: mark }), []);
  });
});
