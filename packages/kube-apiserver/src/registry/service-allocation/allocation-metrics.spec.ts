import { expect } from 'chai';
import { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { AllocationMetrics } from './allocation-metrics.ts';

describe('metrics of what services are given', () => {
  const registry = new MetricRegistry();
  const metrics = new AllocationMetrics(registry);
  const told = (name: string): readonly string[] =>
    registry.samples(`kube_apiserver_${name}`).map(({ labels, value }) => [...Object.values(labels), value].join(' '));

  it('count addresses by range and by whether they were asked for', () => {
    metrics.addressTaken('10.0.0.0/24', 'static', 0.1);
    metrics.addressTaken('10.0.0.0/24', 'dynamic', 0.2);
    metrics.addressRefused('10.0.0.0/24', 'dynamic');
    expect(told('clusterip_allocator_allocation_total')).to.deep.equal([
      '10.0.0.0/24 static 1',
      '10.0.0.0/24 dynamic 1',
    ]);
    expect(told('clusterip_allocator_allocation_errors_total')).to.deep.equal(['10.0.0.0/24 dynamic 1']);
  });
  it('tell how much of a range is taken now', () => {
    let allocated = 1;
    metrics.follow(() => [{ cidr: '10.0.0.0/24', allocated, available: 254 - allocated }]);
    allocated = 2;
    expect(told('clusterip_allocator_allocated_ips')).to.deep.equal(['10.0.0.0/24 2']);
    expect(told('clusterip_allocator_available_ips')).to.deep.equal(['10.0.0.0/24 252']);
  });
  it('count ports', () => {
    metrics.portTaken('dynamic');
    metrics.portsInUse(1, 2767);
    expect(told('nodeport_allocator_allocation_total')).to.deep.equal(['dynamic 1']);
    expect(told('nodeport_allocator_available_ports')).to.deep.equal(['2767']);
  });
});
