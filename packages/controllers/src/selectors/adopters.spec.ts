import { selectorFromMap } from '@kubechain/apimachinery';
import { FakeClock, settle } from '@kubechain/apimachinery/testing';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { expect } from 'chai';
import type { ControllerContext } from '../controller/controller.ts';
import type { InformerHandlers, SharedInformer } from '../informers/shared-informer.ts';
import { Adopters } from './adopters.ts';

interface Owner {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly labels: Readonly<Record<string, string>>;
}

describe('Adopters', () => {
  const owners: readonly Owner[] = [
    { metadata: { name: 'a', namespace: 'n' }, labels: { x: '1' } },
    { metadata: { name: 'all', namespace: 'n' }, labels: {} },
  ];
  const queued = async (orphans: (adopters: Adopters<Owner>) => void, emptySelectsAll = false): Promise<string[]> => {
    const keys: string[] = [];
    const informer = {
      addHandlers: ({ onAdd }: InformerHandlers<Owner>) => owners.forEach((owner) => onAdd?.(owner)),
    } as unknown as SharedInformer<Owner>;
    const adopters = new Adopters({ clock: new FakeClock() } as unknown as ControllerContext, {
      owners: informer,
      selectorOf: ({ labels }) => selectorFromMap(labels),
      emptySelectsAll,
      queue: (key) => keys.push(key),
    });
    orphans(adopters);
    const stop = new AbortController();
    const running = adopters.run(stop.signal);
    await settle();
    stop.abort();
    await running;
    return keys.sort();
  };
  const pod = (labels: Record<string, string>, controller?: string): Pod => ({
    metadata: {
      name: 'p',
      namespace: 'n',
      labels,
      ...(controller === undefined
        ? {}
        : { ownerReferences: [{ apiVersion: 'v1', kind: 'K', name: 'o', uid: controller, controller: true }] }),
    },
  });

  it('are those whose selectors match what has labels, those with an empty one where they may', async () => {
    expect(await queued((adopters) => adopters.added(pod({ x: '1' })))).to.deep.equal(['n/a']);
    expect(await queued((adopters) => adopters.added(pod({ x: '1' })), true)).to.deep.equal(['n/a', 'n/all']);
    expect(await queued((adopters) => adopters.added(pod({})), true)).to.deep.equal([]);
    expect(await queued((adopters) => adopters.added(pod({ x: '1' }, 'u')), true)).to.deep.equal([]);
  });

  it('are asked for again only where labels or the controller have changed', async () => {
    const now = pod({ x: '1' });
    expect(await queued((adopters) => adopters.updated(now, pod({ x: '1' })))).to.deep.equal([]);
    expect(await queued((adopters) => adopters.updated(now, pod({})))).to.deep.equal(['n/a']);
    expect(await queued((adopters) => adopters.updated(now, pod({ x: '1' }, 'u')))).to.deep.equal(['n/a']);
  });
});
