import { expect } from 'chai';
import { unifiedDiff } from './unified-diff.ts';

const lines = (...items: readonly string[]): string => items.join('\n');

describe('unifiedDiff', () => {
  it('says nothing of equal texts', () => {
    expect(unifiedDiff('a\nb', 'a\nb')).to.equal('');
  });

  it('shows a change with three lines around it', () => {
    const before = lines('1', '2', '3', '4', '5', '6', '7', '8', '9');
    expect(unifiedDiff(before, before.replace('5', 'five'))).to.equal(
      '@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n',
    );
  });

  it('cuts what lies far apart into hunks and joins what is near', () => {
    const before = Array.from({ length: 30 }, (_, i) => `line ${i}`);
    const change = (...at: readonly number[]): string =>
      before.map((line, i) => (at.includes(i) ? `new ${i}` : line)).join('\n');
    expect(unifiedDiff(before.join('\n'), change(3, 25)).match(/@@ .* @@/g)).to.deep.equal([
      '@@ -1,7 +1,7 @@',
      '@@ -23,7 +23,7 @@',
    ]);
    expect(unifiedDiff(before.join('\n'), change(10, 16)).match(/@@ .* @@/g)).to.deep.equal(['@@ -8,13 +8,13 @@']);
  });

  it('counts empty ranges from the line before and single ones without a length', () => {
    expect(unifiedDiff('a', 'a\nb')).to.equal('@@ -1 +1,2 @@\n a\n+b\n');
    expect(unifiedDiff('a\nb', 'a')).to.equal('@@ -1,2 +1 @@\n a\n-b\n');
  });

  it('does not begin a match with lines that are everywhere in a long text', () => {
    const before = Array.from({ length: 210 }, (_, i) => (i % 2 === 0 ? '}' : `name ${i}`));
    const after = [...before.slice(0, 100), '}', 'other', ...before.slice(100)];
    expect(unifiedDiff(before.join('\n'), after.join('\n'))).to.equal(
      `@@ -99,6 +99,8 @@\n }\n ${before[99]}\n }\n+other\n+}\n ${before[101]}\n }\n ${before[103]}\n`,
    );
  });
});
