import { expect } from 'chai';
import { parseQuery } from './parse-query.ts';

describe('parseQuery', () => {
  const rows: readonly (readonly [query: string, parameters: Record<string, string>])[] = [
    ['', {}],
    ['limit=5&continue=a%2Fb', { limit: '5', continue: 'a/b' }],
    ['limit=%zz&x=1', { x: '1' }],
    ['limit=1;continue=x', {}],
    ['a=%4', {}],
    ['labelSelector=a%20in+%28b%29', { labelSelector: 'a in (b)' }],
  ];
  for (const [query, parameters] of rows) {
    it(`reads ${JSON.stringify(query)}`, () => {
      expect(Object.fromEntries(parseQuery(query))).to.deep.equal(parameters);
    });
  }
});
