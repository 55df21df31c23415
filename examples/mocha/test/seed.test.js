// A seed: the run that failed, once more, down to uids, names and times.
import assert from 'node:assert/strict';
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { startTestEnvironment } from 'kubechain/testing';
import { topologies } from './topologies.js';

const namespace = 'default';

/** What is run again: makes config maps, whose names the server chooses, and a service, whose address it chooses. */
async function run(seed, topology) {
  await using env = await startTestEnvironment({ seed, topology });
  const config = new KubeConfig();
  config.loadFromOptions(env.kubeConfig);
  const core = config.makeApiClient(CoreV1Api);
  const made = [];
  for (let i = 0; i < 3; i++)
    made.push(await core.createNamespacedConfigMap({ namespace, body: { metadata: { generateName: 'boat-' } } }));
  await env.clock.advance('1h');
  made.push(
    await core.createNamespacedService({
      namespace,
      body: { metadata: { name: 'port' }, spec: { ports: [{ port: 80 }] } },
    }),
  );
  return JSON.stringify({ made, journal: await env.journal.find() });
}

describe('a seed', () => {
  for (const topology of topologies)
    it(`repeats a run, byte for byte (${topology})`, async () => {
      assert.equal(await run(7, topology), await run(7, topology));
    });

  it('makes another run of another seed', async () => {
    assert.notEqual(await run(7), await run(8));
  });
});
