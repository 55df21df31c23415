import { expect } from 'chai';
import { HistogramCell } from './histogram-cell.ts';
import { histogramSamples } from './metric-family.ts';
import { MetricRegistry } from './metric-registry.ts';

describe('labels that may have some values only', () => {
  const allowed = new Map([['requests', new Map([['verb', new Set(['GET', 'PUT'])]])]]);
  const setUp = (): { readonly registry: MetricRegistry; readonly told: (name: string) => readonly string[] } => {
    const registry = new MetricRegistry(allowed);
    const told = (name: string): readonly string[] =>
      registry.samples(name).map(({ labels, value }) => [...Object.values(labels), value].join(' '));
    return { registry, told };
  };

  it('count others together', () => {
    const { registry, told } = setUp();
    const requests = registry.counter('requests', '', ['verb', 'code']);
    for (const verb of ['GET', 'PATCH', 'LIST']) requests.cell(verb, '200').inc();
    expect(told('requests')).to.deep.equal(['GET 200 1', 'unexpected 200 2']);
    expect(told('cardinality_enforcement_unexpected_categorizations_total')).to.deep.equal(['2']);
  });
  it('put lines of others together that are kept elsewhere', () => {
    const { registry, told } = setUp();
    const lines = ['GET', 'PATCH', 'LIST'].map((verb, i) => ({ value: i + 1, labels: { verb, code: '200' } }));
    registry.collected({ name: 'requests', help: '', type: 'counter' }, () => lines);
    expect(told('requests')).to.deep.equal(['GET 200 1', 'unexpected 200 5']);
    expect(told('cardinality_enforcement_unexpected_categorizations_total')).to.deep.equal(['5']);
  });
  it('put lines of histograms and gauges together', async () => {
    const { registry, told } = setUp();
    const [one, other] = [new HistogramCell([1]), new HistogramCell([1])];
    for (const value of [0.5, 2]) one.observe(value);
    other.observe(0.5);
    registry.collected({ name: 'requests', help: '', type: 'histogram' }, () =>
      ['LIST', 'PATCH'].flatMap((verb, i) => [...histogramSamples('requests', { verb }, i === 0 ? one : other)]),
    );
    expect(told('requests')).to.deep.equal(['unexpected 1 2', 'unexpected +Inf 3', 'unexpected 3', 'unexpected 3']);
    expect(told('cardinality_enforcement_unexpected_categorizations_total')).to.deep.equal(['3']);
    const gauge = Promise.resolve([{ value: 2, labels: { verb: 'LIST' } }]);
    registry.collected({ name: 'requests', help: '', type: 'gauge' }, () => gauge);
    const [shown] = [...registry.all()].filter(({ description }) => description.name === 'requests');
    expect([...((await shown?.collect()) ?? [])]).to.deep.equal([{ value: 2, labels: { verb: 'unexpected' } }]);
  });
  it('leave other metrics alone', () => {
    const { registry, told } = setUp();
    registry.counter('others', '', ['verb']).cell('PATCH').inc();
    expect(told('others')).to.deep.equal(['PATCH 1']);
  });
});
