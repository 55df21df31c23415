import { expect } from 'chai';
import { apiServerID } from './api-server-id.ts';

describe('apiServerID', () => {
  it('is 16 bytes of a hash of the host in lower-case base32', () => {
    // sha256(0003 "abc" 000e "kube-apiserver"), first 16 bytes, by coreutils.
    expect(apiServerID('abc')).to.equal('apiserver-hrsdtywn3vm4jnwtygzzpg72wu');
  });
  it('is the same for the same host only', () => {
    expect(apiServerID('a')).to.equal(apiServerID('a')).and.not.equal(apiServerID('b'));
    expect(apiServerID()).to.match(/^apiserver-[a-z2-7]{26}$/);
  });
});
