import type { InformerEnds } from '../informers/informer-ends.ts';
import type { WorkQueueMetrics } from '../work-queue/work-queue-metrics.ts';

/** Parts of a process that count for themselves. */
export interface CountedParts {
  readonly informerEnds: InformerEnds;
  readonly queueMetrics: WorkQueueMetrics;
}

/** Metrics of the process in Prometheus' text format; the library is loaded with the first scrape. */
export class ProcessMetrics {
  readonly #parts: CountedParts;
  #registry: Promise<{ metrics(): Promise<string> }> | undefined;

  constructor(parts: CountedParts) {
    this.#parts = parts;
  }

  async text(): Promise<string> {
    const { informerEnds, queueMetrics } = this.#parts;
    this.#registry ??= import('./default-metrics.ts').then(({ defaultMetrics }) => defaultMetrics());
    const { textOf } = await import('@kubechain/apiserver/metrics');
    const own = (await this.#registry).metrics();
    return (await own) + (await textOf(queueMetrics.registry)) + informerEnds.text();
  }
}
