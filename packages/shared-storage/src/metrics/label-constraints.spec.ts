import { expect } from 'chai';
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
  it('leave other metrics alone', () => {
    const { registry, told } = setUp();
    registry.counter('others', '', ['verb']).cell('PATCH').inc();
    expect(told('others')).to.deep.equal(['PATCH 1']);
  });
});
