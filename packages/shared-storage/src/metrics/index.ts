/** Entry point `@kubechain/shared-storage/metrics`: counting, and the registry in which all of a process is counted. */
export { defaultBounds } from './default-bounds.ts';
export { exponentialBounds } from './exponential-bounds.ts';
export { hashedLabel } from './hashed-label.ts';
export { HistogramCell } from './histogram-cell.ts';
export { InformerMetrics } from './informer-metrics.ts';
export { histogramSamples, summarySamples } from './metric-family.ts';
export type { HistogramFamily, ValueCell, ValueFamily } from './metric-family.ts';
export type { MetricSample } from './metric-family.ts';
export { SummaryCell } from './summary-cell.ts';
export { MetricRegistry } from './metric-registry.ts';
export type { RegisteredMetric } from './metric-registry.ts';
export { counted, WorkQueueMetrics, type QueueMetrics } from './work-queue-metrics.ts';
