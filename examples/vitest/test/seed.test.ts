// A seed: the run that failed, once more, down to uids, names and times.
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { startTestEnvironment } from 'kubechain/testing';
import { expect, it } from 'vitest';

/** What is run again: the server chooses names, uids and times. */
async function run(seed: number): Promise<string> {
  await using env = await startTestEnvironment({ seed });
  const config = new KubeConfig();
  config.loadFromOptions(env.kubeConfig);
  const core = config.makeApiClient(CoreV1Api);
  const body = { metadata: { generateName: 'boat-' } };
  const made = [];
  for (let i = 0; i < 3; i++) made.push(await core.createNamespacedConfigMap({ namespace: 'default', body }));
  return JSON.stringify({ made, journal: await env.journal.find() });
}

it('repeats a run, byte for byte', async () => {
  const first = await run(7);
  expect(await run(7)).toBe(first);
  expect(await run(8)).not.toBe(first);
});
