import { expect } from 'chai';
import type { Service } from '@kubechain/apimachinery/types/core/v1';
import { fillIPFamilies } from './ip-families.ts';

describe('fillIPFamilies', () => {
  const families = ['IPv4'] as const;
  const serviceWith = (address: string): Service => ({
    metadata: { name: 'a' },
    spec: { type: 'ClusterIP', selector: { a: 'b' }, clusterIP: address, clusterIPs: [address] },
  });

  it('asks for addresses in canonical form, unless any will do', () => {
    for (const address of ['010.0.0.55', '::ffff:10.0.0.55']) {
      expect(() => {
        fillIPFamilies(serviceWith(address), undefined, { families });
      }).to.throw('spec.clusterIPs[0]: Invalid value');
      const service = serviceWith(address);
      fillIPFamilies(service, undefined, { families, strictAddresses: false });
      expect(service.spec?.ipFamilies).to.deep.equal(['IPv4']);
    }
  });
});
