import { expect } from 'chai';
import type { APIService, APIServiceCondition } from '../apiservice/api-service.ts';
import { AvailabilityMetrics } from './availability-metrics.ts';

const service = (status?: APIServiceCondition['status'], reason?: string): APIService => ({
  metadata: { name: 'v1.example.com' },
  spec: { group: 'example.com', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 },
  ...(status === undefined
    ? {}
    : { status: { conditions: [{ type: 'Available', status, ...(reason === undefined ? {} : { reason }) }] } }),
});

describe('AvailabilityMetrics', () => {
  it('shows who is unavailable now', () => {
    let current = [service()];
    const metrics = new AvailabilityMetrics(() => current);
    expect([...metrics.unavailable()]).to.deep.equal([{ value: 1, labels: { name: 'v1.example.com' } }]);
    current = [service('True')];
    expect([...metrics.unavailable()]).to.deep.equal([{ value: 0, labels: { name: 'v1.example.com' } }]);
    current = [];
    expect([...metrics.unavailable()]).to.deep.equal([]);
  });
  it('counts what was available and is no longer, by reason, until it is deleted', () => {
    const metrics = new AvailabilityMetrics(() => []);
    const change = (previous: APIService | undefined, value: APIService): void => {
      metrics.changed({ kind: 'set', key: 'v1.example.com', value, previous });
    };
    change(undefined, service('False', 'ServiceNotFound'));
    change(service('False', 'ServiceNotFound'), service('False', 'MissingEndpoints'));
    change(service('False'), service('True', 'Passed'));
    expect([...metrics.transitions()]).to.deep.equal([]);
    for (const reason of ['ServiceNotFound', 'FailedDiscoveryCheck', 'FailedDiscoveryCheck'])
      change(service('True', 'Passed'), service('False', reason));
    change(service('True', 'Passed'), service());
    expect([...metrics.transitions()].map(({ labels, value }) => [labels.reason, value])).to.deep.equal([
      ['ServiceNotFound', 1],
      ['FailedDiscoveryCheck', 2],
      ['UnknownReason', 1],
    ]);
    metrics.changed({ kind: 'delete', key: 'v1.example.com', previous: service() });
    expect([...metrics.transitions()]).to.deep.equal([]);
  });
});
