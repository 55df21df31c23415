import { expect } from 'chai';
import { SeenPaths } from './seen-paths.ts';

describe('SeenPaths', () => {
  it('finds what lies above, below and at the same place, in order', () => {
    const seen = new SeenPaths<string>();
    const add = (path: string): string[] => seen.add(path, path, 10);
    expect(add('a/b')).to.deep.equal([]);
    expect(add('a/bc')).to.deep.equal([]);
    expect(add('a')).to.deep.equal(['a/b', 'a/bc']);
    expect(add('a/b/c')).to.deep.equal(['a/b', 'a']);
    expect(add('a/b')).to.deep.equal(['a/b', 'a', 'a/b/c']);
    expect(seen.add('a', 'a', 2)).to.have.lengthOf(2);
  });

  it('does not compare each path with each', () => {
    const start = process.cpuUsage();
    const seen = new SeenPaths<number>();
    for (let i = 0; i < 100_000; i++) seen.add(`p${i}`, i, 10);
    expect(process.cpuUsage(start).user).to.be.below(5_000_000);
  });
});
