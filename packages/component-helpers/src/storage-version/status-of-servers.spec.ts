import { expect } from 'chai';
import { statusOfServers } from './status-of-servers.ts';

const now = '2026-01-02T00:00:00Z';
const before = '2026-01-01T00:00:00Z';

describe('what servers store in common', () => {
  const a = { apiServerID: 'a', encodingVersion: 'apps/v1' };
  const b = { apiServerID: 'b', encodingVersion: 'apps/v2' };

  it('is what is left of a server that is gone', () => {
    const both = statusOfServers(undefined, [a, b], before);
    expect(both.commonEncodingVersion).to.equal(undefined);
    expect(both.conditions?.[0]).to.deep.include({ status: 'False', reason: 'CommonEncodingVersionUnset' });
    const one = statusOfServers(both, [b], now);
    expect(one.commonEncodingVersion).to.equal('apps/v2');
    expect(one.conditions?.[0]).to.deep.include({ status: 'True', lastTransitionTime: now });
    expect(statusOfServers(one, [b], '2026-01-03T00:00:00Z')).to.deep.equal(one);
  });

  it('is nothing without servers', () => {
    const none = statusOfServers(statusOfServers(undefined, [a], before), [], now);
    expect(none.commonEncodingVersion).to.equal(undefined);
    expect(none.conditions?.[0]).to.deep.include({ status: 'False', lastTransitionTime: now });
  });
});
