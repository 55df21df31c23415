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

/** Name of the index of services by namespace and one label that their selectors ask for. */
const SELECTED_INDEX = 'selected';

/** Under what a service is found: the first label of its selector, since each pod that it selects has that. */
function selectedBy({ metadata, spec }: Service): string[] {
  const { selector } = spec ?? {};
  if (selector === undefined) return [];
  const [first] = Object.entries(selector);
  return [indexKey(metadata?.namespace ?? '', first)];
}

/** Without a label: of selectors that ask for none. */
function indexKey(namespace: string, label: readonly [string, string] | undefined): string {
  return label === undefined ? namespace : `${namespace}/${label[0]}=${label[1]}`;
}

/**
 * Finds the services whose endpoints a change of a pod may change. Only those are looked at whose selectors begin with
 * a label of the pod: a namespace may have thousands of services, and a pod changes often.
 */
export class PodServices {
  readonly #services: SharedInformer<Service>;

  constructor(services: SharedInformer<Service>) {
    this.#services = services;
    services.addIndex(SELECTED_INDEX, selectedBy);
  }

  /** Keys of services; empty when nothing that endpoints show has changed. */
  affected(before: Pod | undefined, after: Pod | undefined): string[] {
    if (before !== undefined && after !== undefined && equalJSON(endpointFacts(before), endpointFacts(after)))
      return [];
    const namespace = (after ?? before)?.metadata?.namespace ?? '';
    const keys = new Set<string>();
    for (const pod of [before, after]) {
      if (pod === undefined) continue;
      const labels = pod.metadata?.labels ?? {};
      for (const label of [undefined, ...Object.entries(labels)])
        for (const service of this.#services.byIndex(SELECTED_INDEX, indexKey(namespace, label)))
          if (selects(service.spec?.selector ?? {}, labels)) keys.add(keyOf(service));
    }
    return [...keys];
  }
}

/** Whether labels have all that a service's selector asks for. */
export function selects(selector: Readonly<Record<string, string>>, labels: Readonly<Record<string, string>>): boolean {
  return Object.entries(selector).every(([name, value]) => labels[name] === value);
}
