import { hashedLabel } from '@kubechain/shared-storage/metrics';
import type { MetricRegistry, ValueFamily } from '@kubechain/shared-storage/metrics';

/** Whose configuration it is, and how that is told. */
export interface ConfigurationMetricsOptions {
  readonly registry: MetricRegistry;
  /** As help texts name it: `authentication`. Part of the names, too. */
  readonly subject: 'authentication' | 'authorization';
  /** Identity of this server. */
  readonly server: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Which configuration of a file is in use, and how often it was read again
 * (apiserver_authentication_config_controller_*, apiserver_authorization_config_controller_*, 1.36).
 */
export class ConfigurationMetrics {
  readonly #reloads: ValueFamily;
  readonly #reloadedAt: ValueFamily;
  readonly #server: string;
  readonly #now: () => number;
  #hash = '';

  constructor({ now, registry, server, subject }: ConfigurationMetricsOptions) {
    this.#now = now;
    this.#server = hashedLabel(server);
    const prefix = `apiserver_${subject}_config_controller`;
    const labels = ['status', 'apiserver_id_hash'];
    this.#reloads = registry.counter(
      `${prefix}_automatic_reloads_total`,
      `[BETA] Total number of automatic reloads of ${subject} configuration split by status and apiserver identity.`,
      labels,
    );
    this.#reloadedAt = registry.gauge(
      `${prefix}_automatic_reload_last_timestamp_seconds`,
      `[BETA] Timestamp of the last automatic reload of ${subject} configuration split by status and apiserver ` +
        'identity.',
      labels,
    );
    registry.collected(
      {
        name: `${prefix}_last_config_info`,
        type: 'gauge',
        help:
          `[ALPHA] Information about the last applied ${subject} configuration with hash as label, split by ` +
          'apiserver identity.',
      },
      () => [{ value: 1, labels: { apiserver_id_hash: this.#server, hash: this.#hash } }],
    );
  }

  /** The text of a file is in use; `reloaded` unless it is the first. */
  configured(text: string, { reloaded }: { readonly reloaded: boolean }): void {
    this.#hash = hashedLabel(text);
    if (reloaded) this.#count('success');
  }

  /** What stands in the file now cannot be used. */
  reloadFailed(): void {
    this.#count('failure');
  }

  #count(status: 'success' | 'failure'): void {
    this.#reloads.cell(status, this.#server).inc();
    this.#reloadedAt.cell(status, this.#server).set(this.#now() / 1000);
  }
}
