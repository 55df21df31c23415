// A seed: the run that failed, once more, down to uids, names and times.
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { startTestEnvironment } from 'kubechain/testing';
import { expect, it } from 'vitest';
import { topologies } from './topologies.ts';

/** What is run again: the server chooses names, uids and times. */
async function run(seed: number, topology: (typeof topologies)[number]): Promise<string> {
  await using env = await startTestEnvironment({ seed, topology });
  const config = new KubeConfig();
  config.loadFromOptions(env.kubeConfig);
  const core = config.makeApiClient(CoreV1Api);
  const body = { metadata: { generateName: 'boat-' } };
  const made = [];
  for (let i = 0; i < 3; i++) made.push(await core.createNamespacedConfigMap({ namespace: 'default', body }));
  return JSON.stringify({ made, journal: await env.journal.find() });
}

it.each(topologies)('repeats a run, byte for byte: %s', async (topology) => {
  expect(await run(7, topology)).toBe(await run(7, topology));
});

it('makes another run of another seed', async () => {
  expect(await run(8, 'all-in-one')).not.toBe(await run(7, 'all-in-one'));
});
