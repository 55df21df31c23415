import type { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { Registry } from 'prom-client';
import { CollectedSeries } from './collected-series.ts';

/** Prometheus text of the metrics of a registry alone. */
export function textOf(metrics: MetricRegistry): Promise<string> {
  const registry = new Registry();
  for (const metric of metrics.all()) registry.registerMetric(new CollectedSeries(metric));
  return registry.metrics();
}
