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
    expect(queue.shiftOf((owner) => owner !== 'a')).to.equal('b1');
    expect(queue.shiftOf((owner) => owner !== 'a')).to.equal(undefined);
    expect([queue.size, queue.peek()]).to.deep.equal([1, 'a1']);
  });
});
