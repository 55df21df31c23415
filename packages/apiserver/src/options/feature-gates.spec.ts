import { expect } from 'chai';
import { featureEnabled } from './feature-gates.ts';

describe('featureEnabled', () => {
  const rows: readonly (readonly [given: Record<string, string>, enabled: boolean])[] = [
    [{}, false],
    [{ AllowUnsafeMalformedObjectDeletion: 'true' }, true],
    [{ AllAlpha: 'true' }, true],
    [{ AllBeta: 'true' }, false],
    [{ AllAlpha: 'true', AllowUnsafeMalformedObjectDeletion: 'false' }, false],
  ];
  for (const [given, enabled] of rows) {
    it(`is ${enabled} with ${JSON.stringify(given)}`, () => {
      expect(featureEnabled(new Map(Object.entries(given)), 'AllowUnsafeMalformedObjectDeletion')).to.equal(enabled);
    });
  }

  it('leaves what is on by default on', () => {
    expect(featureEnabled(new Map(), 'DetectCacheInconsistency')).to.equal(true);
    expect(featureEnabled(new Map([['AllBeta', 'false']]), 'DetectCacheInconsistency')).to.equal(false);
  });
});
