import { expect } from 'chai';
import { progressPrinter } from './progress.ts';

describe('progress', () => {
  it('tells how long a process has not answered, and what of that it had no processor', () => {
    const lines: string[] = [];
    const print = progressPrinter((line) => lines.push(line));
    print({ kind: 'stuck', name: 'etcd', silentMs: 20_000, starvedMs: 400 });
    print({ kind: 'starved', name: 'etcd', silentMs: 20_000, starvedMs: 12_000 });
    print({ kind: 'stuck', name: 'etcd', silentMs: 120_000, starvedMs: 110_000 });
    expect(lines).to.deep.equal([
      '  etcd            has not answered for 20 s, killing it',
      '  etcd            has not answered for 20 s, 12 s of them without a processor, leaving it alone',
      '  etcd            has not answered for 120 s, 110 s of them without a processor, killing it',
    ]);
  });
});
