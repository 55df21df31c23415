import type { MetricDescription, MetricSample } from '@kubechain/shared-storage';

/** Labels in the order in which they are shown. */
export type Labels = Readonly<Record<string, string>>;

/** A metric as /metrics reads it. */
export interface CollectedMetric extends MetricDescription {
  readonly collect: () => Iterable<MetricSample> | Promise<Iterable<MetricSample>>;
}

const registered = new Map<string, CollectedMetric>();

/**
 * Registers a metric whose values are collected when somebody reads /metrics: counting costs nanoseconds, rendering is
 * for the reader. Process-wide, as upstream's legacy registry; a second registration of a name replaces the first.
 */
export function registerCollected(description: MetricDescription, collect: CollectedMetric['collect']): void {
  registered.set(description.name, { ...description, collect });
}

/** All registered metrics, by name. */
export function collectedMetrics(): CollectedMetric[] {
  return [...registered.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
