// Functions as servers: webhooks are functions of the test, with certificates and registration done.
import { CoreV1Api, KubeConfig, type V1ConfigMap } from '@kubernetes/client-node';
import type { TestEnvironment } from 'kubechain/testing';
import { expect, it } from 'vitest';
import { inBothTopologies } from './topologies.ts';

const namespace = 'default';

function client({ kubeConfig }: TestEnvironment): CoreV1Api {
  const config = new KubeConfig();
  config.loadFromOptions(kubeConfig);
  return config.makeApiClient(CoreV1Api);
}

inBothTopologies((env) => {
  it('lets a function change what is created', async () => {
    const rules = [{ resources: ['configmaps'] }];
    await using hook = await env().webhooks.mutating<V1ConfigMap>({ rules }, ({ object, userInfo }) => {
      (object.metadata ??= {}).labels = { by: userInfo.username ?? '' };
      return { object };
    });
    const body = { metadata: { name: 'labelled' } };
    const { metadata } = await client(env()).createNamespacedConfigMap({ namespace, body });
    expect(metadata?.labels).toEqual({ by: 'kubernetes-admin' });
    expect(hook.calls).toBe(1);
  });

  it('brings back what a function throws, with its stack', async () => {
    const rules = [{ resources: ['configmaps'] }];
    await using guard = await env().webhooks.validating<V1ConfigMap>({ rules }, function checkBoat({ object }) {
      if (object.data === undefined) throw new TypeError('a boat without data');
    });
    const body = { metadata: { name: 'bare' } };
    await expect(client(env()).createNamespacedConfigMap({ namespace, body })).rejects.toMatchObject({ code: 500 });
    const [failed] = await guard.errors();
    expect(failed?.error.stack).toMatch(/a boat without data[^]*checkBoat/);
  });
});
