import type { LabelConstraint } from './label-constraints.ts';
import { HistogramCell } from './histogram-cell.ts';
import type { SummaryCell } from './summary-cell.ts';

/** Name, help and type of a metric. */
export interface MetricDescription {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
}

/** One line of a metric; `name` differs from the metric's only for parts of histograms and summaries. */
export interface MetricSample {
  readonly value: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly name?: string;
}

/** A metric without labels is shown from the start, as in Go. */
function unlabelled(labels: Readonly<Record<string, string>>): boolean {
  for (const _name in labels) return false;
  return true;
}

/**
 * The number of a counter or gauge under one set of labels. Kept by whoever counts, so that counting is one addition.
 */
export class ValueCell {
  value = 0;
  /** Whether it ever had a value: what never happened is not shown. */
  used = false;

  inc(by = 1): void {
    this.value += by;
    this.used = true;
  }

  set(value: number): void {
    this.value = value;
    this.used = true;
  }
}

/** A metric with labels: its cells, by the labels' values. */
export abstract class MetricFamily<Cell> {
  readonly description: MetricDescription;
  readonly #labelNames: readonly string[];
  #constraint: LabelConstraint | undefined = undefined;
  readonly #cells = new Map<string, { readonly labels: Readonly<Record<string, string>>; readonly cell: Cell }>();

  constructor(description: MetricDescription, labelNames: readonly string[]) {
    this.description = description;
    this.#labelNames = labelNames;
  }

  /** Before the first cell is made. undefined: all label values are taken as they are. */
  constrain(constraint: LabelConstraint | undefined): void {
    this.#constraint = constraint;
  }

  /** The cell of these label values, in the order of the names; the same one each time. */
  cell(...wanted: readonly string[]): Cell {
    const values = this.#constraint === undefined ? wanted : this.#constraint(wanted);
    const key = values.join('\0');
    let entry = this.#cells.get(key);
    if (entry === undefined) {
      const labels = Object.fromEntries(this.#labelNames.map((name, index) => [name, values[index] ?? '']));
      this.#cells.set(key, (entry = { labels, cell: this.newCell() }));
    }
    return entry.cell;
  }

  /** Stops showing one set of labels; whoever keeps its cell counts in vain from then on. */
  delete(...values: readonly string[]): void {
    this.#cells.delete(values.join('\0'));
  }

  /** The lines of all cells that were used. */
  *collect(): Generator<MetricSample> {
    for (const { labels, cell } of this.#cells.values()) yield* this.samples(cell, labels);
  }

  protected abstract newCell(): Cell;
  protected abstract samples(cell: Cell, labels: Readonly<Record<string, string>>): Iterable<MetricSample>;
}

/** Counters or gauges. */
export class ValueFamily extends MetricFamily<ValueCell> {
  protected newCell(): ValueCell {
    return new ValueCell();
  }

  protected *samples({ used, value }: ValueCell, labels: Readonly<Record<string, string>>): Generator<MetricSample> {
    if (used || unlabelled(labels)) yield { value, labels };
  }
}

/** Histograms with the same bounds. */
export class HistogramFamily extends MetricFamily<HistogramCell> {
  readonly #bounds: readonly number[];

  /** @param bounds ascending; the bucket above the last one is implied */
  constructor(description: MetricDescription, labelNames: readonly string[], bounds: readonly number[]) {
    super(description, labelNames);
    this.#bounds = bounds;
  }

  protected newCell(): HistogramCell {
    return new HistogramCell(this.#bounds);
  }

  protected *samples(cell: HistogramCell, labels: Readonly<Record<string, string>>): Generator<MetricSample> {
    if (cell.count > 0 || unlabelled(labels)) yield* histogramSamples(this.description.name, labels, cell);
  }
}

/** The lines of one histogram cell. */
export function* histogramSamples(
  name: string,
  labels: Readonly<Record<string, string>>,
  cell: HistogramCell,
): Generator<MetricSample> {
  for (const { le, value } of cell.cumulative())
    yield { name: `${name}_bucket`, value, labels: { ...labels, le: String(le) } };
  yield { name: `${name}_sum`, value: cell.sum, labels };
  yield { name: `${name}_count`, value: cell.count, labels };
}

/** What summaries of the reference tell (component-base/metrics/opts.go, 1.36). */
const summaryQuantiles = [0.5, 0.9, 0.99];

/** The lines of one summary cell. */
export function* summarySamples(
  name: string,
  labels: Readonly<Record<string, string>>,
  { cell, nowMs }: { readonly cell: SummaryCell; readonly nowMs: number },
): Generator<MetricSample> {
  for (const [i, value] of cell.quantiles(summaryQuantiles, nowMs).entries())
    yield { value, labels: { ...labels, quantile: String(summaryQuantiles[i]) } };
  yield { name: `${name}_sum`, value: cell.sum, labels };
  yield { name: `${name}_count`, value: cell.count, labels };
}
