import { expect } from 'chai';
import type { Pod, Service } from '@kubechain/apimachinery/types/core/v1';
import { desiredEndpoints } from './desired-endpoints.ts';

describe('endpoints of pods whose node is not known', () => {
  // Each was named, with each change of one: a line of megabytes in the log for thousands.
  it('are left out, the first of them named', async () => {
    const service: Service = { metadata: { name: 's', namespace: 'n' }, spec: { ports: [{ port: 80 }] } };
    const pods = Array.from({ length: 1_000 }, (_, i): Pod => ({
      metadata: { name: `p${i}`, namespace: 'n' },
      spec: { nodeName: 'none', containers: [] },
      status: { podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }] },
    }));
    const { skipped } = await desiredEndpoints(service, { pods, type: 'IPv4', nodeOf: () => undefined });
    expect(skipped).to.have.length(11);
    expect(skipped[0]).to.equal('skipping Pod p0 for Service n/s: Node none Not Found');
    expect(skipped[10]).to.equal('and 990 more');
  });
});
