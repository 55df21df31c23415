// The journal: what a controller has really asked for.
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import type { TestEnvironment } from 'kubechain/testing';
import { journalMatchers, type JournalMatchers } from 'kubechain/testing/matchers';
import { expect, it } from 'vitest';
import { inBothTopologies } from './topologies.ts';

declare module 'vitest' {
  interface Matchers<R, T> extends JournalMatchers {}
}
expect.extend(journalMatchers);

const namespace = 'default';

function client({ kubeConfig }: TestEnvironment): CoreV1Api {
  const config = new KubeConfig();
  config.loadFromOptions(kubeConfig);
  return config.makeApiClient(CoreV1Api);
}

/** What is tested: makes a config map as it should be, and leaves it alone when it is. */
async function reconcile(core: CoreV1Api, data: Record<string, string>): Promise<void> {
  const { items } = await core.listNamespacedConfigMap({ namespace, labelSelector: 'app=boat' });
  const [found] = items;
  const body = { metadata: { name: 'boat', labels: { app: 'boat' } }, data };
  if (found === undefined) await core.createNamespacedConfigMap({ namespace, body });
  else if (JSON.stringify(found.data) !== JSON.stringify(data))
    await core.replaceNamespacedConfigMap({ namespace, name: 'boat', body });
}

inBothTopologies((env) => {
  it('writes nothing when there is nothing to do', async () => {
    const core = client(env());
    await reconcile(core, { sails: 'up' });
    const mark = await env().journal.mark();
    await reconcile(core, { sails: 'up' });
    await expect(env().journal).toHaveNoWrites({ since: mark });
    await reconcile(core, { sails: 'down' });
    await expect(env().journal).toHaveAtMost(1, { since: mark, verb: 'update', resource: 'configmaps' });
    await expect(env().journal).not.toHaveNoWrites({ since: mark });
  });

  it('neither lists everything at once, nor goes round in circles', async () => {
    const core = client(env());
    const mark = await env().journal.mark();
    await reconcile(core, { sails: 'up' });
    await expect(env().journal).toHaveNoUnboundedLists({ since: mark });
    await expect(env().journal).toHaveNoHotLoops({ since: mark });
    await expect(env().journal).toHaveNoConflicts({ since: mark });
  });
});
