import { parseQuery } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { mayBeStale } from './stale-read.ts';
import { requestOf } from './testing/request-of.ts';

describe('mayBeStale', () => {
  const rows: readonly (readonly [verb: string, query: string, stale: boolean])[] = [
    ['list', 'resourceVersion=0', true],
    ['list', '', false],
    ['list', 'resourceVersion=7', false],
    ['list', 'resourceVersion=0&continue=x', false],
    ['get', 'resourceVersion=0', true],
    ['get', '', false],
    ['watch', 'resourceVersion=0', false],
    ['update', 'resourceVersion=0', false],
  ];
  for (const [verb, query, stale] of rows)
    it(`${stale ? 'holds' : 'does not hold'} for ${verb} ${query}`, () => {
      expect(mayBeStale(Object.assign(requestOf({ verb }), { query: parseQuery(query) }))).to.equal(stale);
    });

  it('does not hold for subresources', () => {
    const context = requestOf({ subresource: 'status' });
    expect(mayBeStale(Object.assign(context, { query: parseQuery('resourceVersion=0') }))).to.equal(false);
  });
});
