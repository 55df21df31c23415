// Faults: what a cluster does once in a thousand times, when a test asks for it.
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import type { TestEnvironment } from 'kubechain/testing';
import { afterEach, expect, it } from 'vitest';
import { inBothTopologies } from './topologies.ts';

const at = { namespace: 'default', name: 'counter' };

async function begin({ kubeConfig }: TestEnvironment): Promise<CoreV1Api> {
  const config = new KubeConfig();
  config.loadFromOptions(kubeConfig);
  const core = config.makeApiClient(CoreV1Api);
  const body = { metadata: { name: at.name }, data: { count: '0' } };
  await core.createNamespacedConfigMap({ namespace: at.namespace, body });
  return core;
}

/** What is tested: adds one to a counter, and starts again where another writer was faster. */
async function increment(core: CoreV1Api): Promise<string | undefined> {
  for (;;) {
    const body = await core.readNamespacedConfigMap(at);
    body.data = { count: String(Number(body.data?.['count']) + 1) };
    try {
      return (await core.replaceNamespacedConfigMap({ ...at, body })).data?.['count'];
    } catch (error) {
      if ((error as { code?: number }).code !== 409) throw error;
    }
  }
}

inBothTopologies((env) => {
  afterEach(async () => {
    await env().faults.clear();
    await env().snapshots.reset();
  });

  it('counts on when other writers are faster', async () => {
    const core = await begin(env());
    const fault = await env().faults.add({ match: { names: [at.name] }, effect: { kind: 'conflict' }, count: 3 });
    expect(await increment(core)).toBe('1');
    expect(await fault.happened()).toBe(3);
  });

  it('goes by a scenario in time', async () => {
    const core = await begin(env());
    await env().faults.apply(`
      steps:
        - { at: 1h, for: 10m, match: { verbs: [update] }, effect: { kind: status, code: 503 } }
    `);
    expect(await increment(core)).toBe('1');
    await env().clock.advance('65m');
    await expect(increment(core)).rejects.toMatchObject({ code: 503 });
    await env().clock.advance('10m');
    expect(await increment(core)).toBe('2');
    await env().clock.reset();
  });
});
