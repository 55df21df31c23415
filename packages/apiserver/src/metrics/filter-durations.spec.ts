import { expect } from 'chai';
import { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { composeFilters, type NamedFilter } from '../request/filter.ts';
import { setRequestContext } from '../request/request-context.ts';
import { ServerRequestContext } from '../request/server-request-context.ts';
import { FilterDurations } from './filter-durations.ts';

const name = 'apiserver_request_filter_duration_seconds';

function counts(registry: MetricRegistry): Record<string, number> {
  const samples = registry.samples(name).filter((sample) => sample.name === `${name}_count`);
  return Object.fromEntries(samples.map(({ labels, value }) => [labels['filter'], value]));
}

function run(durations: FilterDurations, filters: readonly NamedFilter[]): void {
  const request = {} as ServerRequestContext['request'];
  const response = {} as ServerRequestContext['response'];
  setRequestContext(
    request,
    new ServerRequestContext(request, response, { auditID: '', receivedAtMs: 0, startedAt: 0 }),
  );
  composeFilters(durations.measured(filters), () => undefined)(request, response);
}

const passing = (filterName: string): NamedFilter => ({
  name: filterName,
  filter: (request, response, next) => {
    next(request, response);
  },
});
const chain = ['authentication', 'audit', 'impersonation', 'priority-and-fairness', 'authorization'].map(passing);

describe('FilterDurations', () => {
  it("measures the reference's filters, and no others", () => {
    const registry = new MetricRegistry();
    run(new FilterDurations(registry, { impersonation: 'constrainedimpersonation' }), [
      passing('cors'),
      ...chain,
      passing('server-timing'),
    ]);
    expect(counts(registry)).to.deep.equal({
      authentication: 1,
      audit: 1,
      constrainedimpersonation: 1,
      priorityandfairness: 1,
      authorization: 1,
    });
  });

  it('tells of the audit log where nothing is logged, and of nothing that refused', () => {
    const registry = new MetricRegistry();
    const refusing: NamedFilter = { name: 'authorization', filter: () => undefined };
    run(new FilterDurations(registry, { impersonation: 'impersonation' }), [
      ...chain.filter((filter) => filter.name !== 'audit' && filter.name !== 'authorization'),
      refusing,
    ]);
    expect(counts(registry)).to.deep.equal({ authentication: 1, audit: 1, impersonation: 1, priorityandfairness: 1 });
  });

  it('measures authentication that refuses', () => {
    const registry = new MetricRegistry();
    const durations = new FilterDurations(registry, { impersonation: 'impersonation' });
    run(durations, [
      {
        name: 'authentication',
        filter: (request) => {
          durations.unauthenticated((request as { requestContext?: ServerRequestContext }).requestContext!);
        },
      },
    ]);
    expect(counts(registry)).to.deep.equal({ authentication: 1 });
  });
});
