import type { Pod, Service } from '@kubechain/apimachinery/types/core/v1';
import { expect } from 'chai';
import { Indexer, type IndexFunction } from '../informers/indexer.ts';
import { keyOf } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { PodServices } from './pod-services.ts';

/** Services that count how often they are looked at once they are all there. */
function following(services: readonly Service[]): { readonly found: PodServices; readonly looks: () => number } {
  let looks = 0;
  const indexer = new Indexer<Service>();
  const informer = {
    addIndex: (name: string, of: IndexFunction<Service>) => indexer.addIndex(name, of),
    byIndex: (name: string, value: string) => indexer.byIndex(name, value),
    list: () => [...indexer.values()],
  } as unknown as SharedInformer<Service>;
  const found = new PodServices(informer);
  for (const service of services) {
    const { spec } = service;
    const counted = Object.defineProperty({ ...service }, 'spec', {
      get: () => {
        looks++;
        return spec;
      },
    });
    indexer.set(keyOf(service), counted);
  }
  looks = 0;
  return { found, looks: () => looks };
}

const service = (name: string, selector?: Record<string, string>, namespace = 'n'): Service => ({
  metadata: { namespace, name },
  spec: selector === undefined ? {} : { selector },
});
const pod = (labels: Record<string, string>): Pod => ({ metadata: { namespace: 'n', name: 'p', labels } });

describe('services of a pod', () => {
  const services = [
    service('one', { a: '1' }),
    service('both', { b: '2', a: '1' }),
    service('other', { a: '2' }),
    service('everything', {}),
    service('nothing'),
    service('elsewhere', { a: '1' }, 'm'),
  ];

  it('are those whose selectors it has all labels of', () => {
    const { found } = following(services);
    expect(found.affected(undefined, pod({ a: '1' })).sort()).to.deep.equal(['n/everything', 'n/one']);
    expect(found.affected(pod({ a: '1', b: '2' }), undefined).sort()).to.deep.equal([
      'n/both',
      'n/everything',
      'n/one',
    ]);
    expect(found.affected(undefined, pod({})).sort()).to.deep.equal(['n/everything']);
  });

  it('are those of before and of after, each once', () => {
    const { found } = following(services);
    expect(found.affected(pod({ a: '1' }), pod({ a: '2' })).sort()).to.deep.equal(['n/everything', 'n/one', 'n/other']);
    expect(found.affected(pod({ a: '1' }), pod({ a: '1' }))).to.deep.equal([]);
  });

  it('are found without a look at thousands of others', () => {
    const others = Array.from({ length: 5_000 }, (_, i) => service(`s${i}`, { app: `v${i}` }));
    const { found, looks } = following(others);
    expect(found.affected(undefined, pod({ app: 'v7', a: '1' }))).to.deep.equal(['n/s7']);
    expect(looks()).to.be.at.most(5);
  });
});
