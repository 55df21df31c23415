// Functions as servers: a webhook is a function of the test, with certificates and registration done.
import assert from 'node:assert/strict';
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { inBothTopologies } from './topologies.js';

const namespace = 'default';

inBothTopologies('functions as webhooks', (env) => {
  let core;
  before(() => {
    const config = new KubeConfig();
    config.loadFromOptions(env().kubeConfig);
    core = config.makeApiClient(CoreV1Api);
  });

  it('change what is created', async () => {
    await using hook = await env().webhooks.mutating(
      { rules: [{ resources: ['configmaps'] }] },
      ({ object, userInfo }) => {
        object.metadata.labels = { by: userInfo.username };
        return { object };
      },
    );
    const { metadata } = await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: 'labelled' } } });
    assert.equal(metadata.labels.by, 'kubernetes-admin');
    assert.equal(hook.calls, 1);
  });

  it('bring back what they throw, with its stack', async () => {
    await using hook = await env().webhooks.validating(
      { rules: [{ resources: ['configmaps'] }] },
      function checkBoat({ object }) {
        return object.data.sails === 'up' ? undefined : { allowed: false, message: 'sails up!' };
      },
    );
    // It has no data at all: the function breaks.
    await assert.rejects(core.createNamespacedConfigMap({ namespace, body: { metadata: { name: 'bare' } } }));
    const [{ error }] = await hook.errors();
    assert.match(error.stack, /TypeError[^]*checkBoat/);
  });
});
