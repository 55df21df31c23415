import { messageOf } from '@kubechain/apimachinery';
import type { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { Logger } from '../logging/logger.ts';
import type { Labels } from './labels.ts';

/** Why an exchange with a peer has ended. The kinds are values of the metrics' label `reason` (docs/debugging.md). */
export type ExchangeTermination =
  /** The peer's answer is complete; it has closed its side of an upgrade. */
  | { readonly kind: 'completed' }
  | { readonly kind: 'client_left' }
  /** This server goes away. */
  | { readonly kind: 'shutting_down' }
  /** The request's time was over. */
  | { readonly kind: 'timeout' }
  /** The peer has answered an upgrade, and not by changing protocols: the client gets its answer. */
  | { readonly kind: 'refused' }
  /** The peer could not be connected, or gave no answer: the client gets an error. */
  | { readonly kind: 'unreachable'; readonly error: unknown }
  /** The peer accepted the request and said nothing, to a probe neither: the client gets 503. */
  | { readonly kind: 'unresponsive'; readonly error: unknown }
  /** The peer has died in the middle of its answer, or gave one that cannot be handed on. */
  | { readonly kind: 'broken'; readonly error: unknown };

/** What is told of an exchange that has ended. */
export interface EndedExchange {
  readonly servedMs: number;
  readonly auditID?: string;
  readonly uri?: string;
}

/** The same kind of exchanges with one peer. */
export interface ExchangeCounts {
  /** Counts one end, and logs it. To be called once for each exchange. */
  ended(reason: ExchangeTermination, exchange: EndedExchange): void;
}

/** Which exchanges are counted. */
export interface ExchangeTerminationsOptions {
  /** Of the log lines. */
  readonly component: string;
  readonly message: string;
  readonly metric: { readonly name: string; readonly help: string };
}

/** Why exchanges with peers have ended: counted by reason, and logged once for each. */
export class ExchangeTerminations {
  readonly #metric: ExchangeTerminationsOptions['metric'];
  readonly #message: string;
  readonly #log: Logger;
  /** By labels. */
  readonly #counted = new Map<string, CountedExchanges>();

  constructor({ component, message, metric }: ExchangeTerminationsOptions) {
    this.#metric = metric;
    this.#message = message;
    this.#log = new Logger(component);
  }

  /** Those with these labels, always the same. @param level from which on orderly ends are logged */
  of(labels: Labels, level: number): ExchangeCounts {
    const key = Object.values(labels).join('\n');
    let counted = this.#counted.get(key);
    if (counted === undefined)
      this.#counted.set(
        key,
        (counted = new CountedExchanges({ labels, level, log: this.#log, message: this.#message })),
      );
    return counted;
  }

  /** Makes the counts part of /metrics. */
  register(registry: MetricRegistry): void {
    const counted = this.#counted;
    registry.collected({ ...this.#metric, type: 'counter' }, function* () {
      for (const { counts, labels } of counted.values())
        for (const [reason, value] of counts) yield { value, labels: { ...labels, reason } };
    });
  }
}

class CountedExchanges implements ExchangeCounts {
  readonly labels: Labels;
  /** By reason. */
  readonly counts = new Map<string, number>();
  readonly #level: number;
  readonly #log: Logger;
  readonly #message: string;

  constructor(options: {
    readonly labels: Labels;
    readonly level: number;
    readonly log: Logger;
    readonly message: string;
  }) {
    this.labels = options.labels;
    this.#level = options.level;
    this.#log = options.log;
    this.#message = options.message;
  }

  ended(reason: ExchangeTermination, { auditID, servedMs, uri }: EndedExchange): void {
    this.counts.set(reason.kind, (this.counts.get(reason.kind) ?? 0) + 1);
    const level = isOrderly(reason.kind) ? this.#level : 2;
    if (!this.#log.enabled(level)) return;
    this.#log.info(
      this.#message,
      {
        reason: reason.kind,
        ...this.labels,
        servedSeconds: servedMs / 1_000,
        ...(auditID === undefined ? {} : { 'audit-ID': auditID }),
        ...(uri === undefined ? {} : { URI: uri }),
        ...('error' in reason ? { err: messageOf(reason.error) } : {}),
      },
      level,
    );
  }
}

/** Whether it happens every day. */
function isOrderly(kind: ExchangeTermination['kind']): boolean {
  switch (kind) {
    case 'refused':
    case 'timeout':
    case 'unreachable':
    case 'unresponsive':
    case 'broken':
      return false;
    case 'completed':
    case 'client_left':
    case 'shutting_down':
      return true;
    default:
      return kind satisfies never;
  }
}
