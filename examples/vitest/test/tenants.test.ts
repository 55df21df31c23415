// Tenants: a chain for each test, all of them in one process and on one port.
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import type { TestTenant } from 'kubechain/testing';
import { expect, it } from 'vitest';
import { inBothTopologies } from './topologies.ts';

function coreOf(tenant: TestTenant): CoreV1Api {
  const config = new KubeConfig();
  config.loadFromOptions(tenant.kubeConfig);
  return config.makeApiClient(CoreV1Api);
}

inBothTopologies((env) => {
  it('shows one tenant nothing of another', async () => {
    const [one, other] = await Promise.all([env().tenant('one'), env().tenant('other')]);
    const at = { namespace: 'default', name: 'mine' };
    await coreOf(one).createNamespacedConfigMap({ namespace: 'default', body: { metadata: { name: 'mine' } } });
    await expect(coreOf(other).readNamespacedConfigMap(at)).rejects.toMatchObject({ code: 404 });
    await other.journal.expectNoWrites();
  });
});
