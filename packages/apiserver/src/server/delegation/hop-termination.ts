import type { MetricRegistry } from '@kubechain/shared-storage/metrics';
import {
  ExchangeTerminations,
  type EndedExchange,
  type ExchangeCounts,
  type ExchangeTermination,
} from '../../metrics/exchange-terminations.ts';

/**
 * What was carried to the next process: a request, a watch or other long answer, an upgrade, the discovery feed; and
 * the link that most of them go over.
 */
export type HopExchange = 'request' | 'stream' | 'upgrade' | 'discovery' | 'link';

/** Why what was carried to one next process has ended: counted, and logged once for each. */
export class HopTerminations {
  readonly #terminations = new ExchangeTerminations({
    component: 'delegation',
    message: 'Exchange with the next process ended',
    metric: {
      name: 'apiserver_delegate_terminations_total',
      help:
        'Number of requests, streams, upgrades and discovery feeds carried to the next process, and links to ' +
        'it, that have ended, by reason.',
    },
  });
  readonly #of: Readonly<Record<HopExchange, ExchangeCounts>>;

  /** @param delegate the next process's name */
  constructor(delegate: string) {
    const of = (exchange: HopExchange, level: number): ExchangeCounts =>
      this.#terminations.of({ delegate, exchange }, level);
    this.#of = {
      // Requests have their line in the log of HTTP.
      request: of('request', 5),
      stream: of('stream', 3),
      upgrade: of('upgrade', 3),
      discovery: of('discovery', 3),
      link: of('link', 3),
    };
  }

  ended(reason: ExchangeTermination, exchange: HopExchange, told: EndedExchange): void {
    this.#of[exchange].ended(reason, told);
  }

  /** Makes the counts part of /metrics. */
  register(registry: MetricRegistry): void {
    this.#terminations.register(registry);
  }
}
