import { HistogramFamily, ValueFamily, type MetricDescription, type MetricSample } from './metric-family.ts';

/** A metric as whoever shows it reads it. */
export interface RegisteredMetric {
  readonly description: MetricDescription;
  readonly collect: () => Iterable<MetricSample> | Promise<Iterable<MetricSample>>;
}

/**
 * The metrics of one process's storage. It only counts; showing them is for whoever is told of each metric. (A general
 * client library hashes all labels at each increment, which takes 1.5 µs.)
 */
export class MetricRegistry {
  readonly #onMetric: (metric: RegisteredMetric) => void;
  readonly #metrics = new Map<string, () => Iterable<MetricSample>>();

  /** @param onMetric told of each metric when it is made */
  constructor(onMetric: (metric: RegisteredMetric) => void = () => undefined) {
    this.#onMetric = onMetric;
  }

  counter(name: string, help: string, labelNames: readonly string[]): ValueFamily {
    return this.#add(new ValueFamily({ name, help, type: 'counter' }, labelNames), labelNames);
  }

  gauge(name: string, help: string, labelNames: readonly string[]): ValueFamily {
    return this.#add(new ValueFamily({ name, help, type: 'gauge' }, labelNames), labelNames);
  }

  histogram(
    name: string,
    help: string,
    { labelNames, bounds }: { readonly labelNames: readonly string[]; readonly bounds: readonly number[] },
  ): HistogramFamily {
    return this.#add(new HistogramFamily({ name, help, type: 'histogram' }, labelNames, bounds), labelNames);
  }

  /** The lines of a metric; none when there is no such metric. */
  samples(name: string): MetricSample[] {
    return [...(this.#metrics.get(name)?.() ?? [])];
  }

  /** A metric whose values somebody has to ask for when they are looked at. `collect` must not reject. */
  collected(description: MetricDescription, collect: () => Promise<Iterable<MetricSample>>): void {
    this.#onMetric({ description, collect });
  }

  #add<F extends ValueFamily | HistogramFamily>(family: F, labelNames: readonly string[]): F {
    if (labelNames.length === 0) family.cell();
    const collect = (): Iterable<MetricSample> => family.collect();
    this.#metrics.set(family.description.name, collect);
    this.#onMetric({ description: family.description, collect });
    return family;
  }
}
