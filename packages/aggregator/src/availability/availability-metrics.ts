import type { InformerChange } from '@kubechain/apiserver/resources';
import type { MetricRegistry } from '@kubechain/shared-storage/metrics';
import type { APIService } from '../apiservice/api-service.ts';
import { availableType, isAvailable } from '../apiservice/conditions.ts';

/** How often an APIService has become unavailable for a reason. */
interface Transitions {
  readonly name: string;
  readonly reason: string;
  count: number;
}

/**
 * Counts what happens to the Available condition of APIServices, whoever writes it (kube-aggregator
 * pkg/controllers/status/metrics, 1.36).
 */
export class AvailabilityMetrics {
  readonly #services: () => Iterable<APIService>;
  /** By name and reason. */
  readonly #transitions = new Map<string, Transitions>();

  /** `services`: all there are now. */
  constructor(services: () => Iterable<APIService>) {
    this.#services = services;
  }

  /**
   * To be told of each change of an APIService. One that was never available does not become unavailable; one that is
   * gone is forgotten.
   */
  readonly changed = (change: InformerChange<APIService>): void => {
    if (change.kind === 'delete') {
      const { name } = change.previous.metadata;
      for (const [key, transitions] of this.#transitions) if (transitions.name === name) this.#transitions.delete(key);
      return;
    }
    const { previous, value } = change;
    if (previous === undefined || !isAvailable(previous) || isAvailable(value)) return;
    const { name = '' } = value.metadata;
    const { reason = '' } = value.status?.conditions?.find(({ type }) => type === availableType) ?? {
      reason: 'UnknownReason',
    };
    const key = `${name} ${reason}`;
    const known = this.#transitions.get(key);
    if (known === undefined) this.#transitions.set(key, { name, reason, count: 1 });
    else known.count++;
  };

  /** Whether each APIService is unavailable: 1 or 0. */
  *unavailable(): Generator<{ readonly value: number; readonly labels: { readonly name: string } }> {
    for (const service of this.#services())
      yield { value: isAvailable(service) ? 0 : 1, labels: { name: service.metadata.name ?? '' } };
  }

  *transitions(): Generator<{
    readonly value: number;
    readonly labels: { readonly name: string; readonly reason: string };
  }> {
    for (const { count, name, reason } of this.#transitions.values()) yield { value: count, labels: { name, reason } };
  }

  /** Shows both at /metrics. */
  register(registry: MetricRegistry): void {
    registry.collected(
      {
        name: 'aggregator_unavailable_apiservice',
        type: 'gauge',
        help: '[ALPHA] Gauge of APIServices which are marked as unavailable broken down by APIService name.',
      },
      () => this.unavailable(),
    );
    registry.collected(
      {
        name: 'aggregator_unavailable_apiservice_total',
        type: 'counter',
        help: 'Counter of APIServices which are marked as unavailable broken down by APIService name and reason.',
      },
      () => this.transitions(),
    );
  }
}
