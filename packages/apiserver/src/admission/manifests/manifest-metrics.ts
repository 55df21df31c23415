import { createHash } from 'node:crypto';
import type { MetricRegistry, ValueFamily } from '@kubechain/shared-storage/metrics';

const prefix = 'apiserver_manifest_admission_config_controller';

/**
 * Which manifests are in use, and how often they were read
 * (apiserver/pkg/admission/plugin/manifest/metrics/metrics.go, 1.36).
 */
export class ManifestMetrics {
  readonly #reloads: ValueFamily;
  readonly #reloadedAt: ValueFamily;
  readonly #hashes = new Map<string, string>();
  readonly #server: string;
  readonly #now: () => number;

  /**
   * @param server identity of this server
   * @param now milliseconds since 1970
   */
  constructor(registry: MetricRegistry, server: string, now: () => number) {
    this.#server = `sha256:${createHash('sha256').update(server).digest('hex')}`;
    this.#now = now;
    const labels = ['status', 'plugin', 'apiserver_id_hash'];
    const split = 'of admission manifest configuration split by status, plugin, and apiserver identity.';
    this.#reloads = registry.counter(
      `${prefix}_automatic_reloads_total`,
      `[ALPHA] Total number of automatic reloads ${split}`,
      labels,
    );
    this.#reloadedAt = registry.gauge(
      `${prefix}_automatic_reload_last_timestamp_seconds`,
      `[ALPHA] Timestamp of the last automatic reload ${split}`,
      labels,
    );
    registry.collected(
      {
        name: `${prefix}_last_config_info`,
        type: 'gauge',
        help:
          '[ALPHA] Information about the last applied admission manifest configuration with hash as label, split by ' +
          'plugin and apiserver identity.',
      },
      () =>
        [...this.#hashes].map(([plugin, hash]) => ({
          value: 1,
          labels: { plugin, apiserver_id_hash: this.#server, hash },
        })),
    );
  }

  /** Manifests of a plugin are in use; `hash` of their files. */
  loaded(plugin: string, hash: string): void {
    this.#hashes.set(plugin, hash);
    this.#count('success', plugin);
  }

  /** What is in the directory now cannot be used. */
  failed(plugin: string): void {
    this.#count('failure', plugin);
  }

  #count(status: 'failure' | 'success', plugin: string): void {
    this.#reloads.cell(status, plugin, this.#server).inc();
    this.#reloadedAt.cell(status, plugin, this.#server).set(this.#now() / 1000);
  }
}
