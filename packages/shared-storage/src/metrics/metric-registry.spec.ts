import { expect } from 'chai';
import { MetricRegistry } from './metric-registry.ts';

describe('MetricRegistry', () => {
  it('counts by labels, and shows only what happened', () => {
    const registry = new MetricRegistry();
    const requests = registry.counter('requests', 'Requests.', ['operation', 'resource']);
    const gets = requests.cell('get', 'pods');
    requests.cell('list', 'pods');
    gets.inc();
    requests.cell('get', 'pods').inc(2);
    expect(registry.samples('requests')).to.deep.equal([{ value: 3, labels: { operation: 'get', resource: 'pods' } }]);
    expect(registry.samples('other')).to.deep.equal([]);
  });
  it('counts its metrics by stability level and deprecated version, itself among them', () => {
    const registry = new MetricRegistry();
    registry.counter('requests', '[BETA] Requests.', []);
    registry.gauge('objects', '[STABLE] (Deprecated since 1.34.0) Objects.', []);
    registry.counter('requests', '[BETA] Requests.', []);
    registry.gauge('stalls', 'Stalls.', []);
    expect(registry.samples('registered_metrics_total')).to.deep.equal([
      { value: 2, labels: { deprecated_version: '', stability_level: 'BETA' } },
      { value: 1, labels: { deprecated_version: '', stability_level: 'ALPHA' } },
      { value: 1, labels: { deprecated_version: '1.34.0', stability_level: 'STABLE' } },
    ]);
  });
  it('keeps the last value of a gauge, 0 too', () => {
    const registry = new MetricRegistry();
    const size = registry.gauge('size', 'Size.', ['resource']).cell('pods');
    size.set(5);
    size.set(0);
    expect(registry.samples('size')).to.deep.equal([{ value: 0, labels: { resource: 'pods' } }]);
  });
  it('shows histograms as buckets, sum and count', () => {
    const registry = new MetricRegistry();
    const seconds = registry.histogram('seconds', 'Seconds.', { labelNames: ['verb'], bounds: [0.1, 1] });
    seconds.cell('GET').observe(0.05);
    seconds.cell('GET').observe(0.5);
    seconds.cell('GET').observe(2);
    expect(
      registry
        .samples('seconds')
        .map(({ name, value, labels }) => `${name} ${labels['verb']} ${labels['le'] ?? ''} ${value}`),
    ).to.deep.equal([
      'seconds_bucket GET 0.1 1',
      'seconds_bucket GET 1 2',
      'seconds_bucket GET +Inf 3',
      'seconds_sum GET  2.55',
      'seconds_count GET  3',
    ]);
  });
  it('shows what has no labels from the start, and nothing that was deleted', () => {
    const registry = new MetricRegistry();
    registry.counter('misses', 'Misses.', []);
    const info = registry.gauge('info', 'Info.', ['hash']);
    info.cell('a').set(1);
    info.delete('a');
    expect(registry.samples('misses')).to.deep.equal([{ value: 0, labels: {} }]);
    expect(registry.samples('info')).to.deep.equal([]);
  });
  it('has all metrics, the last of a name', async () => {
    const registry = new MetricRegistry();
    registry.counter('a', '', []);
    registry.histogram('b', '', { labelNames: [], bounds: [] });
    registry.collected({ name: 'a', help: '', type: 'gauge' }, () => Promise.resolve([{ value: 4, labels: {} }]));
    const all = [...registry.all()];
    expect(all.map(({ description }) => `${description.type} ${description.name}`)).to.deep.equal([
      'counter registered_metrics_total',
      'gauge a',
      'histogram b',
    ]);
    expect(await all[1]?.collect()).to.deep.equal([{ value: 4, labels: {} }]);
  });
});
