import { unexpected } from './label-constraints.ts';
import type { MetricDescription, MetricSample } from './metric-family.ts';

/** Puts those lines of a metric together whose labels have values that are not allowed. */
export class LineConstraint {
  readonly #allowed: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #type: MetricDescription['type'];

  constructor(allowed: ReadonlyMap<string, ReadonlySet<string>>, type: MetricDescription['type']) {
    this.#allowed = allowed;
    this.#type = type;
  }

  /** Sums; of summaries, whose quantiles have none, the last ones. */
  constrain(lines: Iterable<MetricSample>): Iterable<MetricSample> {
    const merged = new Map<string, { -readonly [K in keyof MetricSample]: MetricSample[K] }>();
    for (const line of lines) {
      const labels = this.#constrained(line.labels);
      const key = JSON.stringify([line.name, labels]);
      const known = merged.get(key);
      if (known === undefined) merged.set(key, { ...line, labels });
      else if (this.#type === 'summary' && line.name === undefined) known.value = line.value;
      else known.value += line.value;
    }
    return merged.values();
  }

  /** How many values were not allowed: as often as was counted, of a gauge as many as are shown. */
  replaced(lines: Iterable<MetricSample>): number {
    let count = 0;
    for (const { labels, name, value } of lines) {
      if (name !== undefined && !name.endsWith('_count')) continue;
      let replaced = 0;
      for (const label in labels) if (!this.#isAllowed(label, labels[label] ?? '')) replaced++;
      count += this.#type === 'gauge' ? replaced : replaced * value;
    }
    return count;
  }

  #isAllowed(label: string, value: string): boolean {
    return this.#allowed.get(label)?.has(value) ?? true;
  }

  #constrained(labels: MetricSample['labels']): MetricSample['labels'] {
    return Object.fromEntries(
      Object.entries(labels).map(([label, value]) => [label, this.#isAllowed(label, value) ? value : unexpected]),
    );
  }
}
