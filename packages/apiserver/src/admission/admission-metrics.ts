import { SummaryCell, summarySamples } from '@kubechain/shared-storage/metrics';
import type { HistogramCell, HistogramFamily, MetricRegistry } from '@kubechain/shared-storage/metrics';
import type { AdmissionOperation } from './admission.ts';
import type { AdmissionDurations, AdmissionObserver, AdmissionPhase } from './chain.ts';

const bounds = [0.005, 0.025, 0.1, 0.5, 1, 2.5];
const summaryMaxAgeMs = 5 * 3_600_000;
const summaryName = 'apiserver_admission_step_admission_duration_seconds_summary';

/** How long plugins and whole passes of admission take, under the reference's names (admission/metrics, 1.36). */
export class AdmissionMetrics implements AdmissionObserver {
  readonly #plugins: HistogramFamily;
  readonly #steps: HistogramFamily;
  readonly #summaries: {
    readonly labels: Readonly<Record<string, string>>;
    readonly cell: SummaryCell;
  }[] = [];

  constructor(registry: MetricRegistry) {
    this.#plugins = registry.histogram(
      'apiserver_admission_controller_admission_duration_seconds',
      '[STABLE] Admission controller latency histogram in seconds, identified by name and broken out for each ' +
        'operation and API resource and type (validate or admit).',
      { labelNames: ['name', 'type', 'operation', 'rejected'], bounds },
    );
    this.#steps = registry.histogram(
      'apiserver_admission_step_admission_duration_seconds',
      '[STABLE] Admission sub-step latency histogram in seconds, broken out for each operation and API resource ' +
        'and step type (validate or admit).',
      { labelNames: ['type', 'operation', 'rejected'], bounds },
    );
    const summaries = this.#summaries;
    registry.collected(
      {
        name: summaryName,
        type: 'summary',
        help:
          '[ALPHA] Admission sub-step latency summary in seconds, broken out for each operation and API resource ' +
          'and step type (validate or admit).',
      },
      function* () {
        const nowMs = performance.now();
        for (const { cell, labels } of summaries) yield* summarySamples(summaryName, labels, { cell, nowMs });
      },
    );
  }

  plugin(name: string, type: AdmissionPhase, operation: AdmissionOperation): AdmissionDurations {
    const passed = cellOnce(() => this.#plugins.cell(name, type, operation, 'false'));
    const refused = cellOnce(() => this.#plugins.cell(name, type, operation, 'true'));
    return {
      observe: (seconds, rejected) => {
        (rejected ? refused() : passed()).observe(seconds);
      },
    };
  }

  step(type: AdmissionPhase, operation: AdmissionOperation): AdmissionDurations {
    const passed = cellOnce(() => this.#stepCells(type, operation, 'false'));
    const refused = cellOnce(() => this.#stepCells(type, operation, 'true'));
    return {
      observe: (seconds, rejected) => {
        const { durations, summary } = rejected ? refused() : passed();
        durations.observe(seconds);
        summary.observe(seconds, performance.now());
      },
    };
  }

  #stepCells(
    type: AdmissionPhase,
    operation: AdmissionOperation,
    rejected: string,
  ): { readonly durations: HistogramCell; readonly summary: SummaryCell } {
    const cell = new SummaryCell(summaryMaxAgeMs);
    this.#summaries.push({ labels: { type, operation, rejected }, cell });
    return { durations: this.#steps.cell(type, operation, rejected), summary: cell };
  }
}

/** Made when it is first counted in: most of the cells that there could be never are. */
function cellOnce<Cell>(make: () => Cell): () => Cell {
  let cell: Cell | undefined;
  return () => (cell ??= make());
}
