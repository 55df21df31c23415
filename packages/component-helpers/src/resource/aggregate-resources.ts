import { Quantity } from '@kubechain/apimachinery';
import type { Container, PodSpec } from '@kubechain/apimachinery/types/core/v1';

type Totals = Map<string, Quantity>;

/**
 * What the containers of a pod need together: the sum of those that run side by side, or what an init container needs
 * along with the sidecars started before it, whichever is more (AggregateContainerRequests and AggregateContainerLimits
 * of component-helpers/resource, 1.36).
 */
export function aggregateContainerResources(spec: PodSpec, kind: 'requests' | 'limits'): Totals {
  const totals: Totals = new Map();
  for (const container of spec.containers ?? []) add(totals, amounts(container, kind));
  const sidecars: Totals = new Map();
  const peak: Totals = new Map();
  for (const container of spec.initContainers ?? []) {
    const own = amounts(container, kind);
    if (container.restartPolicy === 'Always') {
      add(totals, own);
      add(sidecars, own);
      raise(peak, sidecars);
    } else {
      const stage: Totals = new Map();
      add(stage, own);
      add(stage, sidecars);
      raise(peak, stage);
    }
  }
  raise(totals, peak);
  return totals;
}

function amounts(container: Container, kind: 'requests' | 'limits'): Totals {
  return new Map(Object.entries(container.resources?.[kind] ?? {}).map(([name, text]) => [name, Quantity.parse(text)]));
}

function add(totals: Totals, more: Totals): void {
  for (const [name, quantity] of more) totals.set(name, totals.get(name)?.add(quantity) ?? quantity);
}

function raise(totals: Totals, floor: Totals): void {
  for (const [name, quantity] of floor) {
    const current = totals.get(name);
    if (current === undefined || quantity.compare(current) > 0) totals.set(name, quantity);
  }
}
