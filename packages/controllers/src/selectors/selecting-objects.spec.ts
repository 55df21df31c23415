import { selectorFromMap, type ObjectMeta } from '@kubechain/apimachinery';
import { FakeClock, settle } from '@kubechain/apimachinery/testing';
import { expect } from 'chai';
import type { InformerHandlers, SharedInformer } from '../informers/shared-informer.ts';
import { SelectingObjects, type SelectingOptions } from './selecting-objects.ts';

interface Selecting {
  readonly metadata: ObjectMeta;
  readonly spec: { readonly selector: Readonly<Record<string, string>> };
}

describe('SelectingObjects', () => {
  const setUp = (objects: readonly Selecting[], options: Partial<SelectingOptions<Selecting, string>> = {}) => {
    let handlers: InformerHandlers<Selecting> = {};
    const informer = {
      addHandlers: (given: InformerHandlers<Selecting>) => {
        handlers = given;
        for (const object of objects) given.onAdd?.(object);
      },
    } as unknown as SharedInformer<Selecting>;
    const found: (readonly [keys: readonly string[], askers: readonly string[]])[] = [];
    const selecting = new SelectingObjects<Selecting, string>({
      clock: new FakeClock(),
      objects: informer,
      selectorOf: ({ spec }) => selectorFromMap(spec.selector),
      found: (...answer) => Promise.resolve(void found.push(answer)),
      ...options,
    });
    const stop = new AbortController();
    return {
      selecting,
      found,
      handlers: () => handlers,
      answered: async (): Promise<void> => {
        const running = selecting.run(stop.signal);
        await settle();
        stop.abort();
        await running;
      },
    };
  };
  const object = (name: string, labels: Record<string, string>, namespace = 'n'): Selecting => ({
    metadata: { name, namespace },
    spec: { selector: labels },
  });

  it('tells who selects labels, once for all that ask for the same', async () => {
    const { answered, found, selecting } = setUp([object('a', { x: '1' }), object('b', { x: '2' })]);
    for (const asker of ['p', 'q']) selecting.ask({ namespace: 'n', labels: { x: '1' } }, { asker });
    selecting.ask({ namespace: 'n', labels: { x: '3' } }, { asker: 'r' });
    await answered();
    expect(found).to.deep.equal([[['n/a'], ['p', 'q']]]);
  });

  it('leaves out who selects other labels, too', async () => {
    const { answered, found, selecting } = setUp([object('a', { x: '1' }), object('b', { y: '1' })]);
    selecting.ask({ namespace: 'n', labels: { x: '1', y: '1' } }, { except: { x: '1' } });
    await answered();
    expect(found).to.deep.equal([[['n/b'], []]]);
  });

  it('knows objects as they are when it answers', async () => {
    const { answered, found, handlers, selecting } = setUp([object('a', { x: '1' }), object('b', { x: '1' })]);
    selecting.ask({ namespace: 'n', labels: { x: '1' } });
    handlers().onDelete?.(object('a', { x: '1' }));
    handlers().onUpdate?.(object('b', { x: '2' }), object('b', { x: '1' }));
    handlers().onAdd?.(object('c', { x: '1' }));
    await answered();
    expect(found).to.deep.equal([[['n/c'], []]]);
  });

  it('looks no further than for as many as are wanted', async () => {
    let looks = 0;
    const all = Array.from({ length: 5_000 }, (_, i) => object(`o${i}`, {}));
    const selector = { ...selectorFromMap({ x: '1' }), matches: () => ++looks > 0 };
    const { answered, found, selecting } = setUp(all, { most: 2, selectorOf: () => selector });
    selecting.ask({ namespace: 'n', labels: { x: '1' } });
    await answered();
    expect([found[0]?.[0], looks]).to.deep.equal([['n/o0', 'n/o1'], 2]);
  });

  it('lets another namespace have the next turn, and others the thread', async () => {
    const all = Array.from({ length: 2_000 }, (_, i) => object(`o${i}`, { x: '1' }));
    const { found, selecting } = setUp([...all, object('a', { x: '1' }, 'm')]);
    for (let i = 0; i < 200; i++) selecting.ask({ namespace: 'n', labels: { x: '1', i: `${i}` } });
    selecting.ask({ namespace: 'm', labels: { x: '1' } });
    const stop = new AbortController();
    let done = false;
    const running = selecting.run(stop.signal).then(() => (done = true));
    // Of the processor: others may have it in between.
    let longestMicros = 0;
    while (found.length < 201) {
      const { user } = process.cpuUsage();
      await new Promise((resolve) => setImmediate(resolve));
      longestMicros = Math.max(longestMicros, process.cpuUsage().user - user);
    }
    expect(found.slice(0, 3).map(([keys]) => keys.length)).to.deep.equal([2_000, 1, 2_000]);
    expect(longestMicros).to.be.below(250_000);
    expect(done).to.equal(false);
    stop.abort();
    await running;
  });
});
