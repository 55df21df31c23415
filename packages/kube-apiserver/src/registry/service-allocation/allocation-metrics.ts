import { defaultBounds } from '@kubechain/shared-storage/metrics';
import type { HistogramFamily, MetricRegistry, ValueFamily } from '@kubechain/shared-storage/metrics';

/** Whether somebody asked for this address or port, or for any. */
export type AllocationScope = 'static' | 'dynamic';

/** How much of a range is taken. */
export interface RangeUse {
  readonly cidr: string;
  readonly allocated: number;
  readonly available: number;
}

/** Addresses and ports of services (pkg/registry/core/service/ipallocator and portallocator, metrics.go, 1.36). */
export class AllocationMetrics {
  readonly #registry: MetricRegistry;
  readonly #addresses: ValueFamily;
  readonly #addressErrors: ValueFamily;
  readonly #durations: HistogramFamily;
  readonly #ports: ValueFamily;
  readonly #portErrors: ValueFamily;
  readonly #allocatedPorts: ValueFamily;
  readonly #availablePorts: ValueFamily;

  constructor(registry: MetricRegistry) {
    this.#registry = registry;
    this.#addresses = registry.counter(
      'kube_apiserver_clusterip_allocator_allocation_total',
      '[ALPHA] Number of Cluster IPs allocations',
      ['cidr', 'scope'],
    );
    this.#addressErrors = registry.counter(
      'kube_apiserver_clusterip_allocator_allocation_errors_total',
      'Number of errors trying to allocate Cluster IPs',
      ['cidr', 'scope'],
    );
    this.#durations = registry.histogram(
      'kube_apiserver_clusterip_allocator_allocation_duration_seconds',
      '[ALPHA] Duration in seconds to allocate a Cluster IP by ServiceCIDR',
      { labelNames: ['cidr'], bounds: defaultBounds },
    );
    this.#ports = registry.counter(
      'kube_apiserver_nodeport_allocator_allocation_total',
      'Number of NodePort allocations',
      ['scope'],
    );
    this.#portErrors = registry.counter(
      'kube_apiserver_nodeport_allocator_allocation_errors_total',
      'Number of errors trying to allocate NodePort',
      ['scope'],
    );
    this.#allocatedPorts = registry.gauge(
      'kube_apiserver_nodeport_allocator_allocated_ports',
      '[ALPHA] Gauge measuring the number of allocated NodePorts for Services',
      [],
    );
    this.#availablePorts = registry.gauge(
      'kube_apiserver_nodeport_allocator_available_ports',
      '[ALPHA] Gauge measuring the number of available NodePorts for Services',
      [],
    );
  }

  /** Where it is known how much of the ranges is taken; asked at each look at the metrics. */
  follow(useOfRanges: () => Iterable<RangeUse>): void {
    const gauge = (name: string, help: string, valueOf: (use: RangeUse) => number): void =>
      this.#registry.collected({ name, help, type: 'gauge' }, () =>
        [...useOfRanges()].map((use) => ({ value: valueOf(use), labels: { cidr: use.cidr } })),
      );
    gauge(
      'kube_apiserver_clusterip_allocator_allocated_ips',
      '[ALPHA] Gauge measuring the number of allocated IPs for Services',
      ({ allocated }) => allocated,
    );
    gauge(
      'kube_apiserver_clusterip_allocator_available_ips',
      '[ALPHA] Gauge measuring the number of available IPs for Services',
      ({ available }) => available,
    );
  }

  /** `seconds`: how long that took. */
  addressTaken(cidr: string, scope: AllocationScope, seconds: number): void {
    this.#addresses.cell(cidr, scope).inc();
    this.#durations.cell(cidr).observe(seconds);
  }

  addressRefused(cidr: string, scope: AllocationScope): void {
    this.#addressErrors.cell(cidr, scope).inc();
  }

  portTaken(scope: AllocationScope): void {
    this.#ports.cell(scope).inc();
  }

  portRefused(scope: AllocationScope): void {
    this.#portErrors.cell(scope).inc();
  }

  /** How many ports services have now, and how many they may still get. */
  portsInUse(allocated: number, available: number): void {
    this.#allocatedPorts.cell().set(allocated);
    this.#availablePorts.cell().set(available);
  }
}
