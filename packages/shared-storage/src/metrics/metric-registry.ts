import { HistogramFamily, ValueFamily, type MetricDescription, type MetricSample } from './metric-family.ts';

/** A metric as whoever shows it reads it. */
export interface RegisteredMetric { readonly description: MetricDescription; readonly collect: () => Iterable<MetricSample> }

/**
 * The metrics of one process's storage. It only counts; showing them is for whoever is told of each metric. (A general
 * client library hashes all labels at each increment, which takes 1.5 µs.)
 */
export class MetricRegistry {
  readonly #onMetric: (metric: RegisteredMetric) => void;
  readonly #metrics = new Map<string, RegisteredMetric>();

  /** @param onMetric told of each metric when it is made */
  constructor(onMetric: (metric: RegisteredMetric) => void = () => undefined) { this.#onMetric = onMetric; }

  counter(name: string, help: string, labelNames: readonly string[]): ValueFamily {
    return this.#add(new ValueFamily({ name, help, type: 'counter' }, labelNames));
  }

  gauge(name: string, help: string, labelNames: readonly string[]): ValueFamily {
    return this.#add(new ValueFamily({ name, help, type: 'gauge' }, labelNames));
  }

  histogram(name: string, help: string, { labelNames, bounds }: { readonly labelNames: readonly string[]; readonly bounds: readonly number[] }): HistogramFamily {
    return this.#add(new HistogramFamily({ name, help, type: 'histogram' }, labelNames, bounds));
  }

  /** The lines of a metric; none when there is no such metric. */
  samples(name: string): MetricSample[] {
    return [...(this.#metrics.get(name)?.collect() ?? [])];
  }

  #add<F extends ValueFamily | HistogramFamily>(family: F): F {
    const metric = { description: family.description, collect: () => family.collect() };
    this.#metrics.set(family.description.name, metric);
    this.#onMetric(metric);
    return family;
  }
}
