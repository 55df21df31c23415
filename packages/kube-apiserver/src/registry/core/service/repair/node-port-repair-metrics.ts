import type { MetricRegistry, ValueCell, ValueFamily } from '@kubechain/shared-storage/metrics';

/** What a pass over node ports may find. */
export type NodePortProblem = 'duplicate' | 'leak' | 'outOfRange' | 'repair';

/** What keeping node ports in line finds (pkg/registry/core/service/portallocator/controller/metrics.go, 1.36). */
export class NodePortRepairMetrics {
  readonly #problems: ValueFamily;
  readonly #failures: ValueCell;

  constructor(registry: MetricRegistry) {
    this.#problems = registry.counter(
      'apiserver_nodeport_repair_port_errors_total',
      'Number of errors detected on ports by the repair loop broken down by type of error: leak, repair, full, ' +
        'outOfRange, duplicate, unknown',
      ['type'],
    );
    this.#failures = registry
      .counter(
        'apiserver_nodeport_repair_reconcile_errors_total',
        '[ALPHA] Number of reconciliation failures on the nodeport repair reconcile loop',
        [],
      )
      .cell();
  }

  found(problem: NodePortProblem): void {
    this.#problems.cell(problem).inc();
  }

  /** A pass could not be finished. */
  failed(): void {
    this.#failures.inc();
  }
}
