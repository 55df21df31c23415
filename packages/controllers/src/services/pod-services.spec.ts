import { FakeClock, settle } from '@kubechain/apimachinery/testing';
import type { Pod, Service } from '@kubechain/apimachinery/types/core/v1';
import { expect } from 'chai';
import type { ControllerContext } from '../controller/controller.ts';
import type { InformerHandlers, SharedInformer } from '../informers/shared-informer.ts';
import { PodServices } from './pod-services.ts';

/** The services that a controller looks at when a pod changes, each as often as it is told to. */
async function queued(
  services: readonly Service[],
  ...changes: readonly (readonly [before: Pod | undefined, after: Pod | undefined])[]
): Promise<string[]> {
  const informer = {
    addHandlers: ({ onAdd }: InformerHandlers<Service>) => services.forEach((service) => onAdd?.(service)),
  } as unknown as SharedInformer<Service>;
  const keys: string[] = [];
  const { clock, log } = { clock: new FakeClock(), log: {} } as unknown as ControllerContext;
  const found = new PodServices(informer, { clock, log, queue: (key) => keys.push(key) });
  for (const [before, after] of changes) found.podChanged(before, after);
  const stop = new AbortController();
  const running = found.run(stop.signal);
  await settle();
  stop.abort();
  await running;
  return keys.sort();
}

const service = (name: string, selector?: Record<string, string>, namespace = 'n'): Service => ({
  metadata: { namespace, name },
  spec: selector === undefined ? {} : { selector },
});
const pod = (labels: Record<string, string>, podIP = '10.0.0.1'): Pod => ({
  metadata: { namespace: 'n', name: 'p', labels },
  status: { podIP },
});

describe('services of a pod', () => {
  const services = [
    service('one', { a: '1' }),
    service('both', { b: '2', a: '1' }),
    service('other', { a: '2' }),
    service('everything', {}),
    service('nothing'),
    service('elsewhere', { a: '1' }, 'm'),
  ];

  it('are those whose selectors it has all labels of', async () => {
    expect(await queued(services, [undefined, pod({ a: '1' })])).to.deep.equal(['n/everything', 'n/one']);
    expect(await queued(services, [pod({ a: '1', b: '2' }), undefined])).to.deep.equal([
      'n/both',
      'n/everything',
      'n/one',
    ]);
    expect(await queued(services, [undefined, pod({})])).to.deep.equal(['n/everything']);
  });

  it('are those of before and of after, where what endpoints show has changed', async () => {
    const [before, after] = [pod({ a: '1' }), pod({ a: '2' }, '10.0.0.2')];
    const all = new Set(await queued(services, [before, after]));
    expect([...all]).to.deep.equal(['n/everything', 'n/one', 'n/other']);
    expect(await queued(services, [before, pod({ a: '1' })])).to.deep.equal([]);
  });

  it('are asked for once where the labels are the same', async () => {
    expect(await queued(services, [pod({ a: '1' }), pod({ a: '1' }, '10.0.0.2')])).to.deep.equal([
      'n/everything',
      'n/one',
    ]);
  });

  it('are not those that select it before and after, where only its labels have changed', async () => {
    expect(await queued(services, [pod({ a: '1' }), pod({ a: '2' })])).to.deep.equal(['n/one', 'n/other']);
    expect(await queued(services, [pod({ a: '1' }), pod({ a: '1', c: '3' })])).to.deep.equal([]);
  });
});
