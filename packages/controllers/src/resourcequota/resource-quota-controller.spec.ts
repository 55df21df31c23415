import { FakeClock, settle } from '@kubechain/apimachinery/testing';
import type { ResourceQuota } from '@kubechain/apimachinery/types/core/v1';
import { expect } from 'chai';
import { resources } from '../client/resources.ts';
import type { ControllerContext } from '../controller/controller.ts';
import type { InformerHandlers } from '../informers/shared-informer.ts';
import { ResourceQuotaController } from './resource-quota-controller.ts';

const broken = {
  group: 'example.com',
  version: 'v1',
  resource: 'brokens',
  kind: 'Broken',
  namespaced: true,
  verbs: ['list', 'watch'],
};

/** What an informer shows; one that is not synced never will be. */
const informer = (objects: readonly ResourceQuota[] = [], hasSynced = true): object => ({
  hasSynced,
  waitForSync: () => (hasSynced ? Promise.resolve() : new Promise(() => undefined)),
  list: () => objects,
  get: (key: string) => objects.find(({ metadata }) => `n/${metadata?.name}` === key),
  addHandlers: ({ onAdd }: InformerHandlers<ResourceQuota>) => objects.forEach((object) => onAdd?.(object)),
});

describe('ResourceQuotaController', () => {
  /** What is written of quotas of a namespace with one pod. */
  const written = async (
    hards: readonly Record<string, string>[],
    meanwhile: (statuses: readonly unknown[]) => Promise<void> = () => settle(),
  ): Promise<unknown[]> => {
    const quotas = hards.map((hard, i) => ({ metadata: { namespace: 'n', name: `q${i}` }, spec: { hard } }));
    const statuses: unknown[] = [];
    const pods = informer([{ metadata: { namespace: 'n', name: 'p' }, spec: { containers: [] } } as object]);
    const stop = new AbortController();
    const controller = new ResourceQuotaController({
      client: {
        resource: () => ({
          updateStatus: ({ status }: ResourceQuota) => {
            statuses.push(status);
            return Promise.resolve();
          },
        }),
      },
      informers: {
        informer: (type: unknown) =>
          type === resources.resourcequotas ? informer(quotas) : type === resources.pods ? pods : informer(),
        anyInformer: () => informer([], false),
      },
      discovery: { preferredResources: () => Promise.resolve({ resources: [broken] }) },
      clock: new FakeClock(),
      flags: {
        lifecycle: { 'resource-quota-sync-period': 300_000 },
        concurrency: { 'concurrent-resource-quota-syncs': 1 },
      },
      log: { error: (_: string, error: unknown) => statuses.push(error) },
      signal: stop.signal,
    } as unknown as ControllerContext);
    const running = controller.run(stop.signal);
    await meanwhile(statuses);
    stop.abort();
    await running;
    return statuses;
  };

  // No pod could be made where a quota of pods also named a kind whose objects cannot be listed.
  it('counts what is known of a quota, whatever else it limits', async () => {
    const hard = { pods: '5', 'count/brokens.example.com': '3' };
    const unheard = { 'count/unheard.example.com': '3' };
    expect(await written([hard, { 'count/brokens.example.com': '3' }, unheard])).to.deep.equal([
      { hard, used: { pods: '1' } },
      { hard: unheard, used: {} },
    ]);
  });

  // A hundred of a namespace were one step, of seconds where each limits as much as fits into it.
  it('counts few quotas at once that limit tens of thousands of names', async () => {
    const hards = Array.from({ length: 50 }, (_, i) =>
      Object.fromEntries(Array.from({ length: 10_000 }, (_, j) => [`count/a${i}-${j}.example.com`, '1'])),
    );
    let longest = 0;
    await written(hards, async (statuses) => {
      while (statuses.length < hards.length) {
        const startedAt = process.threadCpuUsage().user;
        await new Promise((resolve) => setImmediate(resolve));
        longest = Math.max(longest, process.threadCpuUsage().user - startedAt);
      }
    });
    expect(longest / 1_000).to.be.below(500);
  }).timeout(20_000);
});
