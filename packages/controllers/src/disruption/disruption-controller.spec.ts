import { FakeClock, settle } from '@kubechain/apimachinery/testing';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import type { PodDisruptionBudget } from '@kubechain/apimachinery/types/policy/v1';
import { expect } from 'chai';
import { resources } from '../client/resources.ts';
import type { ControllerContext } from '../controller/controller.ts';
import type { InformerHandlers } from '../informers/shared-informer.ts';
import { keyOf } from '../informers/object-key.ts';
import { DisruptionController } from './disruption-controller.ts';

describe('DisruptionController', () => {
  // There was one worker, which waited for the scales of all that own a budget's pods.
  it('counts the budgets of a namespace while it waits for what another has', async () => {
    const pod = (namespace: string): Pod => ({
      metadata: {
        name: 'p',
        namespace,
        ownerReferences: [{ apiVersion: 'slow.example/v1', kind: 'Slow', name: 'o', uid: 'o', controller: true }],
      },
    });
    const budget = (namespace: string, name: string, spec: object): PodDisruptionBudget => ({
      metadata: { name, namespace },
      spec: { selector: {}, ...spec },
    });
    const budgets = [
      ...['b1', 'b2', 'b3'].map((name) => budget('hostile', name, { maxUnavailable: 1 })),
      budget('other', 'b', { minAvailable: 1 }),
    ];
    const informer = <T extends { readonly metadata?: object }>(objects: readonly T[]) => ({
      addHandlers: ({ onAdd }: InformerHandlers<T>) => objects.forEach((object) => onAdd?.(object)),
      waitForSync: () => Promise.resolve(),
      get: (key: string) => objects.find((object) => keyOf(object) === key),
      list: (namespace: string) => objects.filter((object) => keyOf(object).startsWith(`${namespace}/`)),
    });
    const written: string[] = [];
    const context = {
      client: {
        resource: () => ({
          updateStatus: (object: PodDisruptionBudget) => Promise.resolve(void written.push(keyOf(object))),
        }),
      },
      clock: new FakeClock(),
      discovery: { allResources: () => new Promise(() => undefined) },
      informers: {
        informer: (type: unknown) => {
          if (type === resources.poddisruptionbudgets) return informer(budgets);
          return informer(type === resources.pods ? [pod('hostile'), pod('other')] : []);
        },
      },
      log: { error: () => undefined },
      recorder: () => ({ event: () => undefined }),
    } as unknown as ControllerContext;
    void new DisruptionController(context).run(new AbortController().signal);
    await settle();
    expect([...new Set(written)]).to.deep.equal(['other/b']);
  });
});
