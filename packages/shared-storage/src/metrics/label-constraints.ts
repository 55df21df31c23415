/** By metric, then by label: the values that are counted as they are. */
export type AllowedLabelValues = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;

/** Makes of label values what may be counted. */
export type LabelConstraint = (values: readonly string[]) => readonly string[];

/** What values become that are not allowed. */
export const unexpected = 'unexpected';

/** Bounds how many series a metric can have: values that are not allowed become one (component-base/metrics, 1.36). */
export class LabelConstraints {
  readonly #allowed: AllowedLabelValues;
  readonly #onReplaced: () => void;

  /** @param onReplaced told of each value that was not allowed */
  constructor(allowed: AllowedLabelValues, onReplaced: () => void) {
    this.#allowed = allowed;
    this.#onReplaced = onReplaced;
  }

  /** Of one metric; undefined: all values are allowed. */
  of(metric: string, labelNames: readonly string[]): LabelConstraint | undefined {
    const labels = this.#allowed.get(metric);
    if (labels === undefined) return undefined;
    const byPlace = labelNames.map((name) => labels.get(name));
    return (values) =>
      values.map((value, i) => {
        if (byPlace[i]?.has(value) ?? true) return value;
        this.#onReplaced();
        return unexpected;
      });
  }
}
