import type { KubeObject } from '@kubechain/apimachinery';
import { FakeClock, settle } from '@kubechain/apimachinery/testing';
import { Store, builtinResourceSpec, resourceCodec } from '@kubechain/apiserver/resources';
import { MemoryEtcd, MemoryStorage } from '@kubechain/shared-storage/testing';
import { expect } from 'chai';
import { RepairEvents } from './repair-events.ts';

describe('RepairEvents', () => {
  let clock: FakeClock;
  let store: Store;
  let stop: AbortController;
  let errors: string[];
  let full: number;
  let events: RepairEvents;

  beforeEach(() => {
    clock = new FakeClock();
    const spec = builtinResourceSpec({ group: '', plural: 'events' });
    store = new Store({
      spec,
      storage: new MemoryStorage(resourceCodec(spec), { etcd: new MemoryEtcd() }),
      keyRoot: '/registry/events',
      enableGarbageCollection: true,
      deleteCollectionWorkers: 1,
      environment: { clock, newUID: () => 'u', random: () => 0.5 },
    });
    stop = new AbortController();
    errors = [];
    full = 0;
    events = new RepairEvents({
      events: store,
      clock,
      random: () => 0,
      controller: 'repair',
      host: 'here',
      signal: stop.signal,
      onError: (error) => errors.push(String(error)),
      onFull: () => full++,
    });
  });

  const tell = (name: string): void => {
    events.tell({ regarding: { kind: 'Service', namespace: 'a', name }, reason: 'Bad', action: 'Looking', note: 'no' });
  };
  const written = async (): Promise<string[]> => {
    await settle(30);
    const { items } = await store.storage.getList('/registry/events/');
    return items.map(
      (item) => (item.object() as KubeObject & { involvedObject: { name: string } }).involvedObject.name,
    );
  };
  /** Has writes wait; gives what lets them go on. */
  const hold = (): (() => void) & { readonly begun: () => number } => {
    const gate = Promise.withResolvers<void>();
    const create = store.create.bind(store);
    let begun = 0;
    store.create = async (...given) => {
      begun++;
      await gate.promise;
      return create(...given);
    };
    return Object.assign(() => gate.resolve(), { begun: () => begun });
  };

  it('write what is told again within six minutes once', async () => {
    tell('x');
    await clock.advance(300_000);
    tell('x');
    await clock.advance(300_000);
    tell('x');
    expect(await written()).to.deep.equal(['x']);
    await clock.advance(360_001);
    tell('x');
    expect(await written()).to.deep.equal(['x', 'x']);
  });

  it('write one after the other, in order, and go on behind one that fails', async () => {
    const goOn = hold();
    for (const name of ['c', 'a'.repeat(300), 'b']) tell(name);
    await settle(30);
    expect(goOn.begun()).to.equal(1);
    goOn();
    expect((await written()).toSorted()).to.deep.equal(['b', 'c']);
    expect(errors).to.have.length(1);
  });

  it('say once that they are too many, and write what was dropped when it is told again', async () => {
    const gate = Promise.withResolvers<void>();
    const created: string[] = [];
    store.create = async (_context, name) => {
      created.push(name);
      await gate.promise;
      return undefined as never;
    };
    const tellAll = (): void => {
      for (let i = 0; i < 10_003; i++) tell(`s${i}`);
    };
    tellAll();
    expect(full).to.equal(1);
    gate.resolve();
    await until(() => created.length === 10_001);
    tellAll();
    await until(() => created.length === 10_003);
    expect(full).to.equal(1);
    expect(created.at(-1)).to.match(/^s10002\./);
  });

  it('are not written any more once the server stops', async () => {
    const goOn = hold();
    for (const name of ['x', 'y']) tell(name);
    await settle(30);
    stop.abort();
    goOn();
    expect(await written()).to.deep.equal(['x']);
  });

  it('remember thousands without going through all of them for each', async () => {
    hold();
    const startedAt = process.threadCpuUsage().user;
    for (let i = 0; i < 30_000; i++) tell(`s${i % 10_000}`);
    expect((process.threadCpuUsage().user - startedAt) / 1_000).to.be.below(1_500);
  });
});

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await settle(1);
}
