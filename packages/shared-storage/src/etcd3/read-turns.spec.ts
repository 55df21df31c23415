import { expect } from 'chai';
import { ReadTurns } from './read-turns.ts';

describe('ReadTurns', () => {
  it('gives one turn between two looks at the sockets, first to who has had fewest', async () => {
    const turns = new ReadTurns();
    let looks = 0;
    const around = setInterval(() => looks++, 0);
    const given: [name: string, had: number][] = [];
    const looked: number[] = [];
    const read = async (name: string, count: number): Promise<void> => {
      for (let had = 0; had < count; had++) {
        await turns.take(had);
        given.push([name, had]);
        looked.push(looks);
        // Work, so that the timer is due.
        const end = performance.now() + 2;
        while (performance.now() < end);
      }
    };
    const reads = [read('a', 4), read('b', 4)];
    while (given.length < 4) await new Promise((resolve) => setImmediate(resolve));
    reads.push(read('late', 1));
    await Promise.all(reads);
    clearInterval(around);
    const late = given.findIndex(([name]) => name === 'late');
    expect(given.filter(([name]) => name !== 'late')).to.deep.equal([
      ['a', 0],
      ['b', 0],
      ['a', 1],
      ['b', 1],
      ['a', 2],
      ['b', 2],
      ['a', 3],
      ['b', 3],
    ]);
    expect(late).to.be.at.most(5);
    expect(new Set(looked).size).to.equal(looked.length);
  });
});
