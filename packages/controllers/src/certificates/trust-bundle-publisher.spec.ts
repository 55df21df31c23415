import { expect } from 'chai';
import { bundleName } from './trust-bundle-publisher.ts';

describe('names of trust bundles', () => {
  it('have the signer and what they hold in them', () => {
    const name = bundleName('kubernetes.io/kube-apiserver-serving', 'abc');
    // The beginning of what sha256sum prints for abc.
    expect(name).to.equal('kubernetes.io:kube-apiserver-serving:ba7816bf8f01cfea414140de');
    expect(bundleName('kubernetes.io/kube-apiserver-serving', 'abd')).to.not.equal(name);
  });
});
