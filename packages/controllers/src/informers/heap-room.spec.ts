import { limits } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { HeapRoom } from './heap-room.ts';
import { weightOf } from './object-weight.ts';

describe('HeapRoom', () => {
  it('is a third of the heap for one namespace, three fifths for all, and more for those of little', () => {
    const { informedHeapShare, informedHeapShareOfNamespace } = limits;
    expect([informedHeapShareOfNamespace.value, informedHeapShare.value]).to.deep.equal([35, 60]);
    const room = new HeapRoom(1_000);
    expect([room.take('a', 350), room.take('a', 1), room.take('b', 260), room.take('b', 250)]).to.deep.equal([
      true,
      false,
      false,
      true,
    ]);
    expect([room.take('c', 6), room.take('c', 5), room.take('c', 1)]).to.deep.equal([false, true, false]);
    for (let i = 0; i < 29; i++) expect(room.take(`d${i}`, 5)).to.equal(true);
    expect(room.take('e', 5)).to.equal(false);
  });

  it('is there again for what is given back, and for what becomes smaller', () => {
    const room = new HeapRoom(1_000);
    expect([room.take('a', 300), room.take('a', 400, 300), room.take('a', 100, 300)]).to.deep.equal([
      true,
      false,
      true,
    ]);
    expect([room.take('a', 250), room.take('a', 0, 100), room.take('a', 100)]).to.deep.equal([true, true, true]);
  });
});

describe('weightOf', () => {
  it('counts what JSON hardly shows: values, and owners', () => {
    expect(weightOf({ a: Array.from({ length: 1_000 }, () => ({})) })).to.equal(64 * 1_002);
    expect(weightOf({ a: 'x'.repeat(1_000) })).to.equal(64 * 2 + 1_000);
    expect(weightOf({ metadata: { ownerReferences: [{ uid: 'a' }, { uid: 'b' }] } })).to.equal(2_000 + 64 * 7);
  });

  it('takes an object of any depth', () => {
    let deep: object = {};
    for (let i = 0; i < 20_000; i++) deep = { a: deep };
    expect(weightOf(deep)).to.equal(64 * 20_001);
  });
});
