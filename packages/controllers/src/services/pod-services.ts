import { equalJSON, type JSONValue } from '@kubechain/apimachinery';
import type { Pod, Service } from '@kubechain/apimachinery/types/core/v1';
import { keyOf } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';

/** What of a pod endpoints show (endpointslice/util's podEndpointsChanged). */
function endpointFacts({ metadata, spec, status }: Pod): JSONValue {
  return [
    metadata?.deletionTimestamp !== undefined,
    metadata?.name ?? '',
    metadata?.namespace ?? '',
    metadata?.uid ?? '',
    metadata?.labels ?? {},
    spec?.nodeName ?? '',
    spec?.hostname ?? '',
    spec?.subdomain ?? '',
    status?.phase === 'Succeeded' || status?.phase === 'Failed',
    status?.podIP ?? '',
    (status?.podIPs ?? []).map(({ ip }) => ip),
    isPodReady(status),
  ] as JSONValue;
}

/** Whether the pod's Ready condition holds. */
export function isPodReady(status: Pod['status'] | undefined): boolean {
  return status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') ?? false;
}

/** Finds the services whose endpoints a change of a pod may change. */
export class PodServices {
  readonly #services: SharedInformer<Service>;

  constructor(services: SharedInformer<Service>) {
    this.#services = services;
  }

  /** Keys of services; empty when nothing that endpoints show has changed. */
  affected(before: Pod | undefined, after: Pod | undefined): string[] {
    if (before !== undefined && after !== undefined && equalJSON(endpointFacts(before), endpointFacts(after)))
      return [];
    const labels = [before, after].flatMap((pod) => (pod === undefined ? [] : [pod.metadata?.labels ?? {}]));
    const namespace = (after ?? before)?.metadata?.namespace ?? '';
    return this.#services
      .list(namespace)
      .filter(({ spec }) => {
        const { selector } = spec ?? {};
        return selector !== undefined && labels.some((each) => selects(selector, each));
      })
      .map((service) => keyOf(service));
  }
}

/** Whether labels have all that a service's selector asks for. */
export function selects(selector: Readonly<Record<string, string>>, labels: Readonly<Record<string, string>>): boolean {
  return Object.entries(selector).every(([name, value]) => labels[name] === value);
}
