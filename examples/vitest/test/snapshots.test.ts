// Snapshots: what takes long to set up is set up once, and each test begins with it.
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import type { TestEnvironment } from 'kubechain/testing';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { inBothTopologies } from './topologies.ts';

const namespace = 'default';

function coreOf({ kubeConfig }: TestEnvironment): CoreV1Api {
  const config = new KubeConfig();
  config.loadFromOptions(kubeConfig);
  return config.makeApiClient(CoreV1Api);
}

async function boats(of: TestEnvironment): Promise<number> {
  return (await coreOf(of).listNamespacedConfigMap({ namespace, labelSelector: 'kind=boat' })).items.length;
}

inBothTopologies((env) => {
  beforeAll(async () => {
    for (let i = 0; i < 10; i++)
      await coreOf(env()).createNamespacedConfigMap({
        namespace,
        body: { metadata: { name: `boat-${i}`, labels: { kind: 'boat' } } },
      });
    await env().snapshots.save('fleet');
  });
  beforeEach(async () => {
    await env().snapshots.restore('fleet');
  });

  it('lets a test sink the fleet', async () => {
    await coreOf(env()).deleteCollectionNamespacedConfigMap({ namespace });
    expect(await boats(env())).toBe(0);
  });

  it('has it back for the next one, and goes two ways from there', async () => {
    expect(await boats(env())).toBe(10);
    await using other = await env().fork();
    await coreOf(env()).deleteCollectionNamespacedConfigMap({ namespace });
    expect([await boats(env()), await boats(other)]).toEqual([0, 10]);
  });
});
