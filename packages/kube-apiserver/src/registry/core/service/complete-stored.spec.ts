import type { KubeObject } from '@kubechain/apimachinery';
import type { ServiceSpec } from '@kubechain/apimachinery/types/core/v1';
import { expect } from 'chai';
import { storedServiceCompletion } from './complete-stored.ts';

const completion = storedServiceCompletion(() => 'IPv4');

function completed(spec: ServiceSpec): ServiceSpec {
  const service: KubeObject & { spec: ServiceSpec } = { metadata: { name: 's' }, spec: { type: 'ClusterIP', ...spec } };
  completion.complete(service);
  const { type: _type, ...rest } = service.spec;
  return rest;
}

describe('services of old in the store', () => {
  it('get what came later, by their addresses', () => {
    expect(completed({ clusterIP: '10.0.0.1' })).to.deep.equal({
      clusterIP: '10.0.0.1',
      clusterIPs: ['10.0.0.1'],
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
    });
    expect(completed({ clusterIP: 'fd00::1', clusterIPs: ['fd00::1', '10.0.0.1'] })).to.deep.include({
      ipFamilies: ['IPv6', 'IPv4'],
      ipFamilyPolicy: 'RequireDualStack',
    });
  });

  it('without an address are of the first family, or of both where they select nothing', () => {
    expect(completed({ clusterIP: 'None', selector: { app: 'a' } })).to.deep.include({
      clusterIPs: ['None'],
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
    });
    expect(completed({ clusterIP: 'None' })).to.deep.include({
      ipFamilies: ['IPv4', 'IPv6'],
      ipFamilyPolicy: 'RequireDualStack',
    });
  });

  it('lose the policy of internal traffic where they are a name', () => {
    const external: ServiceSpec = { type: 'ExternalName', externalName: 'a.b', internalTrafficPolicy: 'Cluster' };
    expect(completed(external)).to.deep.equal({ externalName: 'a.b' });
  });

  it('are told from those of today by their bytes', () => {
    const isComplete = (spec: ServiceSpec): boolean => completion.isComplete(Buffer.from(JSON.stringify({ spec })));
    expect(isComplete({ clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'], ipFamilies: ['IPv4'] })).to.equal(true);
    expect(isComplete({ clusterIP: '10.0.0.1' })).to.equal(false);
    expect(isComplete({ externalName: 'a.b', type: 'ExternalName' })).to.equal(true);
    expect(isComplete({ type: 'ExternalName', internalTrafficPolicy: 'Cluster' })).to.equal(false);
  });
});
