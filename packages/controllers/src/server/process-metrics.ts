import type { InformerEnds } from '../informers/informer-ends.ts';

/** Metrics of the process in Prometheus' text format; the library is loaded with the first scrape. */
export class ProcessMetrics {
  readonly #informerEnds: InformerEnds;
  #registry: Promise<{ metrics(): Promise<string> }> | undefined;

  constructor(informerEnds: InformerEnds) {
    this.#informerEnds = informerEnds;
  }

  async text(): Promise<string> {
    this.#registry ??= import('./default-metrics.ts').then(({ defaultMetrics }) => defaultMetrics());
    return (await (await this.#registry).metrics()) + this.#informerEnds.text();
  }
}
