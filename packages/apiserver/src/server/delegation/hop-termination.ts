import { messageOf } from '@kubechain/apimachinery';
import type { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { Logger } from '../../logging/logger.ts';

const log = new Logger('delegation');

/** What was carried to the next process: a request, a watch or other long answer, an upgrade, the discovery feed. */
export type HopExchange = 'request' | 'stream' | 'upgrade' | 'discovery';

/** Why an exchange with the next process has ended. The kinds are values of the metric's label `reason`. */
export type HopTermination =
  /** The target's answer is complete; it has closed its side of an upgrade. */
  | { readonly kind: 'completed' }
  | { readonly kind: 'client_left' }
  /** This server goes away. */
  | { readonly kind: 'shutting_down' }
  /** The target could not be connected, or gave no answer: the client gets 503. */
  | { readonly kind: 'unreachable'; readonly error: unknown }
  /** The target accepted the request and said nothing, to a probe neither: the client gets 503. */
  | { readonly kind: 'unresponsive'; readonly error: unknown }
  /** The target has died in the middle of its answer: the client sees a broken stream. */
  | { readonly kind: 'broken'; readonly error: unknown };

/** What is told of an exchange that has ended. */
export interface EndedExchange {
  readonly exchange: HopExchange;
  readonly servedMs: number;
  readonly auditID?: string;
  readonly uri?: string;
}

/** Why what was carried to one next process has ended: counted, and logged once for each. */
export class HopTerminations {
  /** The next process's name. */
  readonly #delegate: string;
  /** By exchange and reason. */
  readonly #counts = new Map<HopExchange, Map<string, number>>();

  constructor(delegate: string) {
    this.#delegate = delegate;
  }

  ended(reason: HopTermination, { auditID, exchange, servedMs, uri }: EndedExchange): void {
    let counts = this.#counts.get(exchange);
    if (counts === undefined) this.#counts.set(exchange, (counts = new Map()));
    counts.set(reason.kind, (counts.get(reason.kind) ?? 0) + 1);
    const level = levelOf(reason.kind, exchange);
    if (!log.enabled(level)) return;
    log.info(
      'Exchange with the next process ended',
      {
        reason: reason.kind,
        delegate: this.#delegate,
        exchange,
        servedSeconds: servedMs / 1_000,
        ...(auditID === undefined ? {} : { 'audit-ID': auditID }),
        ...(uri === undefined ? {} : { URI: uri }),
        ...('error' in reason ? { err: messageOf(reason.error) } : {}),
      },
      level,
    );
  }

  /** Makes the counts part of /metrics. */
  register(registry: MetricRegistry): void {
    const counts = this.#counts;
    const delegate = this.#delegate;
    registry.collected(
      {
        name: 'apiserver_delegate_terminations_total',
        type: 'counter',
        help:
          'Number of requests, streams, upgrades and discovery feeds carried to the next process that have ' +
          'ended, by reason.',
      },
      function* () {
        for (const [exchange, reasons] of counts)
          for (const [reason, value] of reasons) yield { value, labels: { delegate, exchange, reason } };
      },
    );
  }
}

function levelOf(kind: HopTermination['kind'], exchange: HopExchange): number {
  switch (kind) {
    case 'unreachable':
    case 'unresponsive':
    case 'broken':
      return 2;
    case 'completed':
    case 'client_left':
    case 'shutting_down':
      // Requests have their line in the log of HTTP.
      return exchange === 'request' ? 5 : 3;
    default:
      return kind satisfies never;
  }
}
