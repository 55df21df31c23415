import { expect } from 'chai';
import { Fifo } from './fifo.ts';

describe('Fifo', () => {
  it('gives what came first, each once', () => {
    const fifo = new Fifo<string>();
    expect([fifo.peek(), fifo.shift()]).to.deep.equal([undefined, undefined]);
    expect(['a', 'b', 'a'].map((item) => fifo.push(item))).to.deep.equal([true, true, false]);
    expect([fifo.size, fifo.peek(), fifo.shift(), fifo.has('a')]).to.deep.equal([2, 'a', 'a', false]);
    fifo.push('a');
    expect([fifo.shift(), fifo.shift(), fifo.shift(), fifo.size]).to.deep.equal(['b', 'a', undefined, 0]);
  });

  it('keeps the order through thousands', () => {
    const fifo = new Fifo<number>();
    let [next, wanted] = [0, 0];
    for (let round = 0; round < 200; round++) {
      for (let i = 0; i < 50; i++) fifo.push(next++);
      for (let i = 0; i < 40; i++) expect(fifo.shift()).to.equal(wanted++);
    }
    expect(fifo.size).to.equal(2_000);
    while (fifo.size > 0) expect(fifo.shift()).to.equal(wanted++);
    expect(wanted).to.equal(next);
  });

  it('takes no longer to give the first of many', () => {
    const fill = (count: number): Fifo<number> => {
      const fifo = new Fifo<number>();
      for (let i = 0; i < count; i++) fifo.push(i);
      return fifo;
    };
    const msOf = (fifo: Fifo<number>): number => {
      const before = process.cpuUsage().user;
      while (fifo.size > 0) fifo.shift();
      return (process.cpuUsage().user - before) / 1_000;
    };
    msOf(fill(10_000));
    // One by one behind those that were taken it were billions of steps.
    expect(msOf(fill(200_000))).to.be.below(1_000);
  });
});
