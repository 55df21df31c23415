import { LabelConstraints } from './label-constraints.ts';
import type { AllowedLabelValues } from './label-constraints.ts';
import { LineConstraint } from './line-constraint.ts';
import { stabilityOf } from './metric-stability.ts';
import { HistogramFamily, ValueFamily, type MetricDescription, type MetricSample } from './metric-family.ts';

/** A metric as whoever shows it reads it. */
export interface RegisteredMetric {
  readonly description: MetricDescription;
  /** Its lines, when somebody looks. Must not reject. */
  readonly collect: () => Iterable<MetricSample> | Promise<Iterable<MetricSample>>;
}

/**
 * The metrics of one server. It only counts, which costs nanoseconds; showing them is for whoever reads them. (A
 * general client library hashes all labels at each increment, which takes 1.5 µs.) A second metric of a name takes
 * the first one's place.
 */
export class MetricRegistry {
  readonly #metrics = new Map<string, RegisteredMetric>();
  readonly #allowed: AllowedLabelValues | undefined;
  readonly #constraints: LabelConstraints | undefined;
  /** Tell how many values of labels were not allowed, of metrics that are kept elsewhere. */
  readonly #constrained = new Map<string, () => number>();

  /** @param allowed by metric and label, the values that are counted as they are; default: all */
  constructor(allowed?: AllowedLabelValues) {
    this.collected(
      {
        name: 'registered_metrics_total',
        help: '[BETA] The count of registered metrics broken by stability level and deprecation version.',
        type: 'counter',
      },
      () => this.#registered(),
    );
    if (allowed === undefined) return;
    let replaced = 0;
    this.collected(
      {
        name: 'cardinality_enforcement_unexpected_categorizations_total',
        help: '[ALPHA] The count of unexpected categorizations during cardinality enforcement.',
        type: 'counter',
      },
      () => {
        let value = replaced;
        for (const count of this.#constrained.values()) value += count();
        return [{ value, labels: {} }];
      },
    );
    this.#allowed = allowed;
    this.#constraints = new LabelConstraints(allowed, () => replaced++);
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

  /** The lines of a metric that is counted here; none when there is no such metric. */
  samples(name: string): MetricSample[] {
    const samples = this.#metrics.get(name)?.collect() ?? [];
    return samples instanceof Promise ? [] : [...samples];
  }

  /** A metric whose values are kept elsewhere, and asked for when somebody looks. `collect` must not reject. */
  collected(description: MetricDescription, collect: RegisteredMetric['collect']): void {
    const labels = this.#allowed?.get(description.name);
    if (labels === undefined) {
      this.#metrics.set(description.name, { description, collect });
      return;
    }
    const constraint = new LineConstraint(labels, description.type);
    this.#constrained.set(description.name, () => {
      const lines = collect();
      return lines instanceof Promise ? 0 : constraint.replaced(lines);
    });
    this.#metrics.set(description.name, {
      description,
      collect: () => {
        const lines = collect();
        return lines instanceof Promise
          ? lines.then((known) => constraint.constrain(known))
          : constraint.constrain(lines);
      },
    });
  }

  /** All metrics, in the order in which they were made. */
  all(): Iterable<RegisteredMetric> {
    return this.#metrics.values();
  }

  /** How many metrics there are, by how long they may be counted on. */
  *#registered(): Iterable<MetricSample> {
    const counts = new Map<string, Map<string, number>>();
    for (const { description } of this.all()) {
      const { deprecatedVersion, level } = stabilityOf(description.help);
      let ofVersion = counts.get(deprecatedVersion);
      if (ofVersion === undefined) counts.set(deprecatedVersion, (ofVersion = new Map<string, number>()));
      ofVersion.set(level, (ofVersion.get(level) ?? 0) + 1);
    }
    for (const [deprecatedVersion, levels] of counts)
      for (const [level, value] of levels)
        yield { value, labels: { deprecated_version: deprecatedVersion, stability_level: level } };
  }

  #add<F extends ValueFamily | HistogramFamily>(family: F, labelNames: readonly string[]): F {
    family.constrain(this.#constraints?.of(family.description.name, labelNames));
    if (labelNames.length === 0) family.cell();
    const { description } = family;
    this.#metrics.set(description.name, { description, collect: () => family.collect() });
    return family;
  }
}
