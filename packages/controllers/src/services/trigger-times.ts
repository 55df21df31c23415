import type { Pod, Service } from '@kubechain/apimachinery/types/core/v1';

interface Known {
  readonly service: string | undefined;
  readonly pods: ReadonlyMap<string, string>;
}

/**
 * Tells since when a service's endpoints ought to have changed (endpointslice/util's TriggerTimeTracker): the earliest
 * time among what is new since the last call. Times are RFC 3339 texts.
 */
export class TriggerTimes {
  readonly #known = new Map<string, Known>();

  /** Undefined when nothing that has a time is new. */
  compute(key: string, service: Service, pods: readonly Pod[]): string | undefined {
    const before = this.#known.get(key);
    const times = new Map<string, string>();
    let earliest: string | undefined;
    const consider = (time: string): void => {
      if (earliest === undefined || time < earliest) earliest = time;
    };
    for (const pod of pods) {
      const time = pod.status?.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime;
      if (time === undefined) continue;
      const { name = '' } = pod.metadata ?? {};
      times.set(name, time);
      if (time > (before?.pods.get(name) ?? '')) consider(time);
    }
    const created = service.metadata?.creationTimestamp ?? undefined;
    if (created !== undefined && created > (before?.service ?? '')) consider(created);
    this.#known.set(key, { service: created, pods: times });
    return earliest;
  }

  delete(key: string): void {
    this.#known.delete(key);
  }
}
