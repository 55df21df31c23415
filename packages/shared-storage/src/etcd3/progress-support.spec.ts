import { expect } from 'chai';
import { versionSupportsProgressRequests } from './progress-support.ts';

describe('progress requests', () => {
  const versions: readonly (readonly [string, boolean])[] = [
    ['3.3.27', false],
    ['3.4.23', false],
    ['3.4.30', false],
    ['3.4.31', true],
    ['3.5.0', false],
    ['3.5.12', false],
    ['3.5.13', true],
    ['3.5.13-rc.0', true],
    ['3.6.0', true],
    ['3.6.0-alpha.0', true],
    ['4.0.0', true],
    ['2.3.8', false],
    ['', false],
  ];
  for (const [version, supported] of versions) {
    it(`are ${supported ? '' : 'not '}trusted of etcd ${version === '' ? 'of unknown version' : version}`, () => {
      expect(versionSupportsProgressRequests(version)).to.equal(supported);
    });
  }
});
