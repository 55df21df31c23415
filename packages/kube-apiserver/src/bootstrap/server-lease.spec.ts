import { expect } from 'chai';
import { isExpired, renewed, serverID, serverLease } from './server-lease.ts';

const nowMs = Date.parse('2026-01-02T03:04:05.678Z');
const lease = serverLease({ hostname: 'node-1', holder: 'apiserver-x_1', nowMs });

describe('the lease of a server', () => {
  it('is named after the host', () => {
    expect(serverID('node-1')).to.equal('apiserver-gwlrxzxjxmbevckvql7a4qxaja');
  });
  it('says who holds it until when', () => {
    expect(lease).to.deep.equal({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: {
        name: 'apiserver-gwlrxzxjxmbevckvql7a4qxaja',
        namespace: 'kube-system',
        labels: { 'apiserver.kubernetes.io/identity': 'kube-apiserver', 'kubernetes.io/hostname': 'node-1' },
      },
      spec: { holderIdentity: 'apiserver-x_1', leaseDurationSeconds: 3600, renewTime: '2026-01-02T03:04:05.678000Z' },
    });
  });
  it('keeps its holder when it is renewed', () => {
    expect(renewed(lease, nowMs + 10_000).spec).to.deep.equal({
      holderIdentity: 'apiserver-x_1',
      leaseDurationSeconds: 3600,
      renewTime: '2026-01-02T03:04:15.678000Z',
    });
  });
  it('expires when it is not, and when it says no times', () => {
    expect([
      isExpired(lease, nowMs + 3_600_000),
      isExpired(lease, nowMs + 3_600_001),
      isExpired({ ...lease, spec: {} }, nowMs),
    ]).to.deep.equal([false, true, true]);
  });
});
