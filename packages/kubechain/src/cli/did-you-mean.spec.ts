import { expect } from 'chai';
import { similarNames } from './did-you-mean.ts';

describe('did you mean', () => {
  const names = ['token-auth-file', 'tls-cert-file', 'secure-port', 'v'];
  it('finds what is alike', () => {
    expect(similarNames('token-auth-fil', names)).to.deep.equal(['token-auth-file']);
    expect(similarNames('secureport', names)).to.deep.equal(['secure-port']);
  });
  it('finds nothing where nothing is', () => {
    expect(similarNames('frobnicate', names)).to.deep.equal([]);
  });
});
