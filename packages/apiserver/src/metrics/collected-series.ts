import { Gauge } from 'prom-client';
import type { RegisteredMetric } from '@kubechain/shared-storage/metrics';

type Values = Awaited<ReturnType<Gauge['get']>>;

/**
 * A metric whose numbers are counted elsewhere, as prom-client's registry reads it. Of prom-client's classes the gauge
 * is the one without rules about its numbers; the type shown is the metric's own.
 */
export class CollectedSeries extends Gauge {
  readonly #metric: RegisteredMetric;

  constructor(metric: RegisteredMetric) {
    // Into no registry: the default one is for whoever embeds the server.
    super({ name: metric.description.name, help: metric.description.help, registers: [] });
    this.#metric = metric;
  }

  override async get(): Promise<Values> {
    const {
      collect,
      description: { type },
    } = this.#metric;
    const values = [...(await collect())].map(({ value, labels, name }) => ({
      value,
      labels,
      ...(name === undefined ? {} : { metricName: name }),
    }));
    // prom-client declares a numeric enum that it does not export; what it prints is this text.
    return { ...(await super.get()), type: type as unknown as Values['type'], values };
  }
}
