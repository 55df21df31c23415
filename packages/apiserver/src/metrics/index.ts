/** Entry point `@kubechain/apiserver/metrics`: what processes that are no API servers show of themselves. */
export { collectProcessMetrics } from './collect-process-metrics.ts';
export { textOf } from './text-of.ts';
