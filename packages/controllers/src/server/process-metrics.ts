/** Metrics of the process in Prometheus' text format; the library is loaded with the first scrape. */
export class ProcessMetrics {
  #registry: Promise<{ metrics(): Promise<string> }> | undefined;

  async text(): Promise<string> {
    this.#registry ??= import('./default-metrics.ts').then(({ defaultMetrics }) => defaultMetrics());
    return (await this.#registry).metrics();
  }
}
