import type { FailedCallReason } from './webhook-error.ts';
import type { HistogramFamily, MetricRegistry, ValueFamily } from '@kubechain/shared-storage/metrics';

/** How a call ended. */
export type WebhookOutcome =
  | { readonly kind: 'allowed' }
  | { readonly kind: 'denied'; readonly code: number }
  /** `ignored`: the failure policy let the request pass. */
  | { readonly kind: 'failed'; readonly code: number; readonly reason: FailedCallReason; readonly ignored: boolean }
  | { readonly kind: 'error' };

const bounds = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 25];

/** What calls of webhooks cost and say, under the reference's names (admission/metrics, 1.36). */
export class WebhookMetrics {
  readonly #durations: HistogramFamily;
  readonly #requests: ValueFamily;
  readonly #rejections: ValueFamily;
  readonly #failOpen: ValueFamily;
  readonly #terminations: ValueFamily;

  constructor(registry: MetricRegistry) {
    this.#durations = registry.histogram(
      'apiserver_admission_webhook_admission_duration_seconds',
      'Admission webhook latency histogram in seconds, identified by name and broken out for each operation ' +
        'and API resource and type (validate or admit).',
      { labelNames: ['name', 'type', 'operation', 'rejected'], bounds },
    );
    this.#requests = registry.counter(
      'apiserver_admission_webhook_request_total',
      'Admission webhook request total, identified by name and broken out for each admission type (validating ' +
        'or mutating) and operation. Additional labels specify whether the request was rejected or not and an ' +
        'HTTP status code. Codes greater than 600 are truncated to 600, to keep the metrics cardinality bounded.',
      ['name', 'type', 'operation', 'code', 'rejected'],
    );
    this.#rejections = registry.counter(
      'apiserver_admission_webhook_rejection_count',
      'Admission webhook rejection count, identified by name and broken out for each admission type ' +
        '(validating or admit) and operation. Additional labels specify an error type (calling_webhook_error or ' +
        'apiserver_internal_error if an error occurred; no_error otherwise) and optionally a non-zero rejection ' +
        'code if the webhook rejects the request with an HTTP status code (honored by the apiserver when the ' +
        'code is greater or equal to 400). Codes greater than 600 are truncated to 600, to keep the metrics ' +
        'cardinality bounded.',
      ['name', 'type', 'operation', 'error_type', 'rejection_code'],
    );
    this.#failOpen = registry.counter(
      'apiserver_admission_webhook_fail_open_count',
      'Admission webhook fail open count, identified by name and broken out for each admission type ' +
        '(validating or mutating).',
      ['name', 'type'],
    );
    this.#terminations = registry.counter(
      'apiserver_admission_webhook_terminations_total',
      'Number of calls of admission webhooks that have ended, by reason.',
      ['name', 'type', 'reason'],
    );
  }

  /** @param call `type` is `admit` or `validating` */
  called(
    call: {
      readonly name: string;
      readonly type: 'admit' | 'validating';
      readonly operation: string;
      readonly seconds: number;
    },
    outcome: WebhookOutcome,
  ): void {
    const { name, operation, seconds, type } = call;
    const rejected = String(outcome.kind !== 'allowed' && !(outcome.kind === 'failed' && outcome.ignored));
    const code = outcome.kind === 'allowed' ? 200 : outcome.kind === 'error' ? 0 : Math.min(outcome.code, 600);
    this.#terminations.cell(name, type, reasonOf(outcome)).inc();
    this.#durations.cell(name, type, operation, rejected).observe(seconds);
    this.#requests.cell(name, type, operation, String(code), rejected).inc();
    if (outcome.kind === 'failed' && outcome.ignored) this.#failOpen.cell(name, type).inc();
    if (rejected === 'true') this.#rejections.cell(name, type, operation, errorType(outcome), String(code)).inc();
  }
}

/** Why a call ended, as its line in the log and its metric say. */
export function reasonOf(outcome: WebhookOutcome): string {
  return outcome.kind === 'failed' ? outcome.reason : outcome.kind;
}

function errorType({ kind }: WebhookOutcome): string {
  switch (kind) {
    case 'failed':
      return 'calling_webhook_error';
    case 'error':
      return 'apiserver_internal_error';
    default:
      return 'no_error';
  }
}
