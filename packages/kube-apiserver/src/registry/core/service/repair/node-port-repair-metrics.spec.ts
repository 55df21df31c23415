import { expect } from 'chai';
import { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { NodePortRepairMetrics } from './node-port-repair-metrics.ts';

describe('metrics of keeping node ports in line', () => {
  it('count problems by what they are, and passes that could not be finished', () => {
    const registry = new MetricRegistry();
    const metrics = new NodePortRepairMetrics(registry);
    const told = (name: string): string[] =>
      registry
        .samples(`apiserver_nodeport_repair_${name}`)
        .map(({ labels, value }) => [...Object.values(labels), value].join(' '));
    expect(told('reconcile_errors_total')).to.deep.equal(['0']);
    metrics.found('leak');
    metrics.found('leak');
    metrics.found('repair');
    metrics.failed();
    expect(told('port_errors_total')).to.deep.equal(['leak 2', 'repair 1']);
    expect(told('reconcile_errors_total')).to.deep.equal(['1']);
  });
});
