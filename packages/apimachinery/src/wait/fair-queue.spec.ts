import { expect } from 'chai';
import { FairQueue } from './fair-queue.ts';

describe('a fair queue', () => {
  it('takes one of each owner in turn, and those of one owner in their order', () => {
    const queue = new FairQueue<string>();
    for (const item of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2']) queue.push(item[0]!, item);
    const order: (string | undefined)[] = [];
    for (let i = 0; i < 3; i++) order.push(queue.shift());
    queue.push('d', 'd1');
    for (let i = 0; i < 5; i++) order.push(queue.shift());
    expect(order).to.deep.equal(['a1', 'b1', 'c1', 'a2', 'b2', 'd1', 'a3', 'a4']);
  });

  it('tells what comes next, and undefined when it is empty', () => {
    const queue = new FairQueue<string>();
    expect([queue.peek(), queue.shift()]).to.deep.equal([undefined, undefined]);
    queue.push('a', 'a1');
    expect([queue.peek(), queue.shift(), queue.peek()]).to.deep.equal(['a1', 'a1', undefined]);
  });

  it('counts what waits, the same of an owner once, and passes over owners for whom nothing fits', () => {
    const queue = new FairQueue<string>();
    for (const item of ['a1', 'a1', 'b1']) queue.push(item[0]!, item);
    expect([queue.size, queue.has('a', 'a1'), queue.has('b', 'a1')]).to.deep.equal([2, true, false]);
    expect([queue.sizeOf('a'), queue.sizeOf('c')]).to.deep.equal([1, 0]);
    expect(queue.shiftOf((owner) => owner !== 'a')).to.equal('b1');
    expect(queue.shiftOf((owner) => owner !== 'a')).to.equal(undefined);
    expect([queue.size, queue.peek()]).to.deep.equal([1, 'a1']);
  });

  it('keeps the order of owners that were passed over', () => {
    const queue = new FairQueue<string>();
    for (const item of ['a1', 'b1', 'c1', 'b2', 'c2']) queue.push(item[0]!, item);
    expect(queue.shiftOf((owner) => owner === 'b')).to.equal('b1');
    expect(queue.shiftOf((owner) => owner === 'c')).to.equal('c1');
    const order: (string | undefined)[] = [];
    for (let i = 0; i < 4; i++) order.push(queue.shift());
    expect(order).to.deep.equal(['a1', 'b2', 'c2', undefined]);
  });

  // Looked for from the beginning, past the places of those that had their turn, they took six seconds.
  it('gives each of very many owners its turn at once', function () {
    this.timeout(60_000);
    const count = 200_000;
    const queue = new FairQueue<number, number>();
    for (let i = 0; i < count; i++) queue.push(i, i);
    const before = process.cpuUsage().user;
    let inOrder = 0;
    for (let i = 0; i < count; i++) if (queue.shift() === i) inOrder++;
    expect(inOrder).to.equal(count);
    expect((process.cpuUsage().user - before) / 1_000).to.be.below(2_000);
  });
});
