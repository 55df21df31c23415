import { expect } from 'chai';
import { endpointSlice } from './kubernetes-service.ts';

describe('the EndpointSlice of the service kubernetes', () => {
  it('is of the first generation', () => {
    expect(endpointSlice(['10.0.0.1'], 443).metadata).to.deep.equal({
      name: 'kubernetes',
      namespace: 'default',
      generation: 1,
      labels: { 'kubernetes.io/service-name': 'kubernetes' },
    });
  });
});
