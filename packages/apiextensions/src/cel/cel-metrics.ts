import { defaultBounds, exponentialBounds } from '@kubechain/shared-storage/metrics';
import type { HistogramCell, MetricRegistry } from '@kubechain/shared-storage/metrics';

/** What rules of definitions cost, under the reference's names (apiserver/cel/metrics, 1.36). */
export class CelMetrics {
  /** Seconds that compiling the rules of one schema took. */
  readonly compilations: HistogramCell;
  /** Seconds that the rules of one value took, with those of the values in it. */
  readonly evaluations: HistogramCell;
  /** Seconds that comparing an update with what was there took (apiextensions validation/metrics.go, 1.36). */
  readonly ratcheting: HistogramCell;

  constructor(registry: MetricRegistry) {
    const histogram = (name: string, help: string, buckets: readonly number[]): HistogramCell =>
      registry.histogram(name, help, { labelNames: [], bounds: buckets }).cell();
    this.compilations = histogram(
      'apiserver_cel_compilation_duration_seconds',
      '[BETA] CEL compilation time in seconds.',
      defaultBounds,
    );
    this.evaluations = histogram(
      'apiserver_cel_evaluation_duration_seconds',
      '[BETA] CEL evaluation time in seconds.',
      defaultBounds,
    );
    this.ratcheting = histogram(
      'apiextensions_apiserver_validation_ratcheting_seconds',
      '[ALPHA] Time for comparison of old to new for the purposes of CRDValidationRatcheting during an UPDATE in ' +
        'seconds.',
      exponentialBounds(0.00001, 4, 10),
    );
  }
}
