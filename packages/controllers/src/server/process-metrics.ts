import type { InformerEnds } from '../informers/informer-ends.ts';
import type { RequestMetrics } from '../client/request-metrics.ts';
import type { WorkQueueMetrics } from '@kubechain/shared-storage/metrics';

/** Parts of a process that count for themselves. */
export interface CountedParts {
  readonly informerEnds: InformerEnds;
  readonly queueMetrics: WorkQueueMetrics;
  readonly requestMetrics: RequestMetrics;
}

/** Metrics of the process in Prometheus' text format; the library is loaded with the first scrape. */
export class ProcessMetrics {
  readonly #parts: CountedParts;
  #registry: Promise<{ metrics(): Promise<string> }> | undefined;

  constructor(parts: CountedParts) {
    this.#parts = parts;
  }

  async text(): Promise<string> {
    const { informerEnds, queueMetrics, requestMetrics } = this.#parts;
    this.#registry ??= import('./default-metrics.ts').then(({ defaultMetrics }) => defaultMetrics());
    const { textOf } = await import('@kubechain/apiserver/metrics');
    const own = (await this.#registry).metrics();
    const counted = [await own, await textOf(queueMetrics.registry), await textOf(requestMetrics.registry)];
    return counted.join('') + informerEnds.text();
  }
}
