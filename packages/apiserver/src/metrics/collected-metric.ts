import type { HistogramCell } from './histogram-cell.ts';

/** Labels in the order in which they are shown. */
export type Labels = Readonly<Record<string, string>>;

/** One line of a metric; `name` differs from the metric's only for histograms' parts. */
export interface MetricSample { readonly value: number; readonly labels: Labels; readonly name?: string }

/** Name, help and type of a metric whose values are kept elsewhere. */
export interface MetricDescription { readonly name: string; readonly help: string; readonly type: 'counter' | 'gauge' | 'histogram' }

/** A metric as /metrics reads it. */
export interface CollectedMetric extends MetricDescription { readonly collect: () => Iterable<MetricSample> }

const registered = new Map<string, CollectedMetric>();

/**
 * Registers a metric whose values are collected when somebody reads /metrics. For counters on the hot path: prom-client
 * hashes all labels on each increment (about 1.5 µs with ten labels), a kept cell costs nanoseconds. Process-wide, as
 * upstream's legacy registry; a second registration of a name replaces the first.
 */
export function registerCollected(description: MetricDescription, collect: () => Iterable<MetricSample>): void {
  registered.set(description.name, { ...description, collect });
}

/** All registered metrics, by name. */
export function collectedMetrics(): CollectedMetric[] {
  return [...registered.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The lines of one histogram cell. */
export function* histogramSamples(name: string, labels: Labels, cell: HistogramCell): Generator<MetricSample> {
  for (const { le, value } of cell.cumulative()) yield { name: `${name}_bucket`, value, labels: { ...labels, le: String(le) } };
  yield { name: `${name}_sum`, value: cell.sum, labels };
  yield { name: `${name}_count`, value: cell.count, labels };
}
