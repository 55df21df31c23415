import { defaultBounds } from '@kubechain/shared-storage/metrics';
import type { HistogramFamily, MetricRegistry, ValueFamily } from '@kubechain/shared-storage/metrics';
import { ConfigurationMetrics } from '../metrics/configuration-metrics.ts';
import { apiServerID } from '../options/api-server-id.ts';
import type { Decision } from './authorizer.ts';

/** How a question to a webhook ended. */
export type WebhookResult = 'success' | 'timeout' | 'error';

const prefix = 'apiserver_authorization';
const conditionBounds = [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25];

/** What authorizers decide and cost, under the reference's names (authorization/metrics and what is beside it, 1.36). */
export class AuthorizationMetrics {
  readonly #registry: MetricRegistry;
  readonly #decisions: ValueFamily;
  readonly #now: () => number;
  #webhooks: WebhookFamilies | undefined;
  #configuration: ConfigurationMetrics | undefined;

  /** @param now milliseconds since 1970 */
  constructor(registry: MetricRegistry, now: () => number) {
    this.#registry = registry;
    this.#now = now;
    this.#decisions = registry.counter(
      `${prefix}_decisions_total`,
      '[ALPHA] Total number of terminal decisions made by an authorizer split by authorizer type, name, and decision.',
      ['type', 'name', 'decision'],
    );
  }

  /** Counts what an authorizer decides; having no opinion is no decision. */
  decisionsOf(type: string, name: string): (decision: Decision) => void {
    // Looked up once: every request passes here.
    let allowed: ReturnType<ValueFamily['cell']> | undefined;
    return (decision) => {
      if (decision === 'Allow') (allowed ??= this.#decisions.cell(type, name, 'allowed')).inc();
      else if (decision === 'Deny') this.#decisions.cell(type, name, 'denied').inc();
    };
  }

  /** One round trip. */
  webhookAsked(name: string, result: WebhookResult, seconds: number): void {
    const { calls, durations } = (this.#webhooks ??= webhookFamilies(this.#registry));
    calls.cell(name, result).inc();
    durations.cell(name, result).observe(seconds);
  }

  /** It could not be asked, and the other authorizers decide. */
  webhookFailedOpen(name: string, result: WebhookResult): void {
    (this.#webhooks ??= webhookFamilies(this.#registry)).failOpen.cell(name, result).inc();
  }

  /** Conditions of a webhook were looked at. */
  conditionsMatched(name: string, outcome: 'met' | 'unmet' | 'failed', seconds: number): void {
    const families = (this.#webhooks ??= webhookFamilies(this.#registry));
    families.conditionDurations.cell('Webhook', name).observe(seconds);
    if (outcome === 'unmet') families.exclusions.cell('Webhook', name).inc();
    if (outcome === 'failed') families.conditionErrors.cell('Webhook', name).inc();
  }

  /** Of the file of --authorization-config. */
  get configuration(): ConfigurationMetrics {
    return (this.#configuration ??= new ConfigurationMetrics({
      registry: this.#registry,
      subject: 'authorization',
      server: apiServerID(),
      now: this.#now,
    }));
  }
}

interface WebhookFamilies {
  readonly calls: ValueFamily;
  readonly durations: HistogramFamily;
  readonly failOpen: ValueFamily;
  readonly conditionDurations: HistogramFamily;
  readonly conditionErrors: ValueFamily;
  readonly exclusions: ValueFamily;
}

function webhookFamilies(registry: MetricRegistry): WebhookFamilies {
  const labels = ['name', 'result'];
  const conditionLabels = ['type', 'name'];
  return {
    calls: registry.counter(
      `${prefix}_webhook_evaluations_total`,
      '[BETA] Round-trips to authorization webhooks.',
      labels,
    ),
    durations: registry.histogram(`${prefix}_webhook_duration_seconds`, '[BETA] Request latency in seconds.', {
      labelNames: labels,
      bounds: defaultBounds,
    }),
    failOpen: registry.counter(
      `${prefix}_webhook_evaluations_fail_open_total`,
      '[BETA] NoOpinion results due to webhook timeout or error.',
      labels,
    ),
    conditionErrors: registry.counter(
      `${prefix}_match_condition_evaluation_errors_total`,
      '[ALPHA] Total number of errors when an authorization webhook encounters a match condition error split by ' +
        'authorizer type and name.',
      conditionLabels,
    ),
    exclusions: registry.counter(
      `${prefix}_match_condition_exclusions_total`,
      '[ALPHA] Total number of exclusions when an authorization webhook is skipped because match conditions ' +
        'exclude it.',
      conditionLabels,
    ),
    conditionDurations: registry.histogram(
      `${prefix}_match_condition_evaluation_seconds`,
      '[ALPHA] Authorization match condition evaluation time in seconds, split by authorizer type and name.',
      { labelNames: conditionLabels, bounds: conditionBounds },
    ),
  };
}
