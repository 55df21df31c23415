// The clock: what an hour brings, without waiting for it.
import { BatchV1Api, KubeConfig } from '@kubernetes/client-node';
import { startTestEnvironment } from 'kubechain/testing';
import { expect, it, vi } from 'vitest';
import { topologies } from './topologies.ts';

const namespace = 'default';

it.each(topologies)('runs a cron job at the full hour: %s', async (topology) => {
  await using env = await startTestEnvironment({ topology, control: true, controllers: ['cronjob'] });
  const config = new KubeConfig();
  config.loadFromOptions(env.kubeConfig);
  const batch = config.makeApiClient(BatchV1Api);
  await env.clock.set('2040-01-01T11:30:00Z');
  const container = { name: 'main', image: 'backup' };
  await batch.createNamespacedCronJob({
    namespace,
    body: {
      metadata: { name: 'hourly' },
      spec: {
        schedule: '0 * * * *',
        jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } } },
      },
    },
  });
  const jobs = async (): Promise<number> => (await batch.listNamespacedJob({ namespace })).items.length;
  expect(await jobs()).toBe(0);
  await env.clock.advance('31m');
  await vi.waitFor(async () => expect(await jobs()).toBe(1), 20_000);
});
