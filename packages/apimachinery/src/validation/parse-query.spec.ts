import { expect } from 'chai';
import { parseQuery } from './parse-query.ts';

describe('parseQuery', () => {
  const rows: readonly (readonly [query: string, parameters: Record<string, string>])[] = [
    ['', {}],
    ['limit=5&continue=a%2Fb', { limit: '5', continue: 'a/b' }],
    ['limit=%zz&x=1', { x: '1' }],
    ['limit=1;continue=x', {}],
    ['a=%4', {}],
    ['a&&b=&=c&d=e=f', { a: '', b: '', '': 'c', d: 'e=f' }],
    ['labelSelector=a%20in+%28b%29', { labelSelector: 'a in (b)' }],
  ];
  for (const [query, parameters] of rows) {
    it(`reads ${JSON.stringify(query)}`, () => {
      expect(Object.fromEntries(parseQuery(query))).to.deep.equal(parameters);
    });
    it(`reads ${JSON.stringify(query)} as a part of much`, () => {
      const much = `${'x=y&'.repeat(1_000)}${query}`;
      expect(Object.fromEntries(parseQuery(much))).to.deep.equal({ x: 'y', ...parameters });
    });
  }

  it('takes four times as long for four times as much', () => {
    const cpuMs = (times: number): number => {
      const text = 'a&'.repeat(times);
      const before = process.threadCpuUsage().user;
      expect(parseQuery(text).size).to.equal(times);
      return (process.threadCpuUsage().user - before) / 1_000;
    };
    const least = (times: number): number => Math.min(...Array.from({ length: 5 }, () => cpuMs(times)));
    expect(least(120_000) / Math.max(least(30_000), 3)).to.be.lessThan(12);
  });
});
