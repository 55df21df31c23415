import { ExchangeTerminations, type ExchangeCountsOf } from '@kubechain/apiserver/proxies';
import type { MetricRegistry } from '@kubechain/shared-storage/metrics';
import type { RemoteService } from './remote-service.ts';

/** Why what was carried to extension API servers has ended. */
export class RemoteTerminations {
  readonly #terminations = new ExchangeTerminations({
    component: 'proxy',
    message: 'Exchange with an extension API server ended',
    metric: {
      name: 'aggregator_extension_server_terminations_total',
      help: 'Number of requests, streams and upgrades carried to extension API servers that have ended, by reason.',
    },
  });

  /** @param metrics where the counts are part of */
  constructor(metrics: MetricRegistry) {
    this.#terminations.register(metrics);
  }

  /** For requests, and for watches, which are streams. */
  requests({ name }: RemoteService): ExchangeCountsOf {
    return ({ requestInfo: { verb } }) =>
      verb === 'watch'
        ? this.#terminations.of({ apiservice: name, exchange: 'stream' }, 3)
        : // They have their line in the log of HTTP.
          this.#terminations.of({ apiservice: name, exchange: 'request' }, 5);
  }

  upgrades({ name }: RemoteService): ExchangeCountsOf {
    return () => this.#terminations.of({ apiservice: name, exchange: 'upgrade' }, 3);
  }
}
