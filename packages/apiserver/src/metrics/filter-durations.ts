import type { HistogramCell, HistogramFamily, MetricRegistry } from '@kubechain/shared-storage/metrics';
import type { NamedFilter } from '../request/filter.ts';
import { serverContext } from '../request/server-context.ts';
import type { ServerRequestContext } from '../request/server-request-context.ts';

const bounds = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 5, 10, 15, 30];

/** What the filters that the reference measures are called there. */
export interface MeasuredFilterNames {
  /** `impersonation` until ConstrainedImpersonation. */
  readonly impersonation: 'constrainedimpersonation' | 'impersonation';
}

/**
 * apiserver_request_filter_duration_seconds: how long requests are in each filter that the reference measures, from
 * when it gets them until it hands them on (endpoints/filterlatency, 1.36). One reading of the clock between two
 * filters. What stands between two of them counts to the later one.
 */
export class FilterDurations {
  readonly #family: HistogramFamily;
  readonly #names: ReadonlyMap<string, string>;
  readonly #authentication: HistogramCell;

  constructor(registry: MetricRegistry, { impersonation }: MeasuredFilterNames) {
    this.#family = registry.histogram(
      'apiserver_request_filter_duration_seconds',
      '[ALPHA] Request filter latency distribution in seconds, for each filter type',
      { labelNames: ['filter'], bounds },
    );
    this.#authentication = this.#family.cell('authentication');
    this.#names = new Map([
      ['authentication', 'authentication'],
      ['audit', 'audit'],
      ['impersonation', impersonation],
      ['priority-and-fairness', 'priorityandfairness'],
      ['authorization', 'authorization'],
    ]);
  }

  /** The same filters, measured. The reference has one for the audit log also where nothing is logged. */
  measured(filters: readonly NamedFilter[]): readonly NamedFilter[] {
    const audits = filters.some(({ name }) => name === 'audit');
    return filters.flatMap((named) => {
      const name = this.#names.get(named.name);
      if (name === undefined) return [named];
      if (named.name !== 'authentication') return [named, handedOn(this.#family.cell(name))];
      return [began, named, handedOn(this.#authentication, audits ? undefined : this.#family.cell('audit'))];
    });
  }

  /** Authentication has refused the request: it does not hand it on, but is measured all the same. */
  unauthenticated(context: ServerRequestContext): void {
    this.#authentication.observe((performance.now() - context.filterStartedAt) / 1_000);
  }
}

const began: NamedFilter = {
  name: 'measure',
  filter: (request, response, next) => {
    serverContext(request).filterStartedAt = performance.now();
    next(request, response);
  },
};

/** Observes what the filter before it took. `idle`: one that does nothing. */
function handedOn(cell: HistogramCell, idle?: HistogramCell): NamedFilter {
  return {
    name: 'measure',
    filter: (request, response, next) => {
      const context = serverContext(request);
      const now = performance.now();
      cell.observe((now - context.filterStartedAt) / 1_000);
      idle?.observe(0);
      context.filterStartedAt = now;
      next(request, response);
    },
  };
}
