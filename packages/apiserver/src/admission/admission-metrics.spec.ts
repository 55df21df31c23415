import { expect } from 'chai';
import { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { AdmissionMetrics } from './admission-metrics.ts';

describe('AdmissionMetrics', () => {
  it('counts plugins and passes by what became of them', () => {
    const registry = new MetricRegistry();
    const metrics = new AdmissionMetrics(registry);
    const plugin = metrics.plugin('Priority', 'admit', 'CREATE');
    const step = metrics.step('admit', 'CREATE');
    plugin.observe(0.001, false);
    plugin.observe(3, true);
    step.observe(0.2, false);
    step.observe(0.2, false);
    const counts = (name: string): unknown[] =>
      registry
        .samples(name)
        .filter((sample) => sample.name === `${name}_count`)
        .map(({ labels, value }) => [...Object.values(labels), value]);
    expect(counts('apiserver_admission_controller_admission_duration_seconds')).to.deep.equal([
      ['Priority', 'admit', 'CREATE', 'false', 1],
      ['Priority', 'admit', 'CREATE', 'true', 1],
    ]);
    expect(counts('apiserver_admission_step_admission_duration_seconds')).to.deep.equal([
      ['admit', 'CREATE', 'false', 2],
    ]);
    const summary = registry.samples('apiserver_admission_step_admission_duration_seconds_summary');
    expect(summary.map(({ labels, name }) => name ?? labels['quantile'])).to.deep.equal([
      '0.5',
      '0.9',
      '0.99',
      'apiserver_admission_step_admission_duration_seconds_summary_sum',
      'apiserver_admission_step_admission_duration_seconds_summary_count',
    ]);
    expect(summary[0]?.value).to.be.closeTo(0.2, 0.002);
  });
});
