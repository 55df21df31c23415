import { AuthenticationMetrics } from '../metrics/authentication-metrics.ts';
import { AuthorizationMetrics } from '../metrics/authorization-metrics.ts';
import { FilterDurations } from '../metrics/filter-durations.ts';
import { RequestMetrics } from '../metrics/request-metrics.ts';
import { WatchMetrics } from '../metrics/watch-metrics.ts';
import type { CompletedConfig } from './completed-config.ts';

/** What one server counts of the requests that it answers; part of its registry from the beginning. */
export class ServerMetrics {
  readonly requests = new RequestMetrics();
  readonly authentication = new AuthenticationMetrics();
  readonly authorization = new AuthorizationMetrics();
  readonly watches = new WatchMetrics();
  readonly filterDurations: FilterDurations;

  constructor({ metrics: registry, release }: Pick<CompletedConfig, 'metrics' | 'release'>) {
    this.filterDurations = new FilterDurations(registry, {
      impersonation: release.since('1.36') ? 'constrainedimpersonation' : 'impersonation',
    });
    for (const each of [this.requests, this.authentication, this.authorization, this.watches]) each.register(registry);
  }
}
