import { append, Quantity } from '@kubechain/apimachinery';
import type { Container, Pod } from '@kubechain/apimachinery/types/core/v1';
import type { DeviceClass, DeviceRequest, ResourceClaim } from '@kubechain/apimachinery/types/resource/v1';

/** Marks claims that were made for extended resources of a pod. */
const annotation = 'resource.kubernetes.io/extended-resource-claim';
/** Every class stands for a resource of this name. */
const implicitPrefix = 'deviceclass.resource.kubernetes.io/';

/** Which request of a claim a container's resource is met by. */
export interface RequestMapping {
  readonly containerName: string;
  readonly resourceName: string;
  readonly requestName: string;
}

/** A claim that a pod needs for resources that devices stand behind. */
export interface ExtendedClaim {
  /** Without a name: it is still to be made. */
  readonly claim: ResourceClaim;
  readonly mappings: readonly RequestMapping[];
}

/** The class of devices behind a resource: the newest that names it, or the one whose implicit name it is. */
export function classBehind(resource: string, classes: readonly DeviceClass[]): DeviceClass | undefined {
  const born = ({ metadata }: DeviceClass): number => Date.parse(metadata?.creationTimestamp ?? '') || 0;
  const named = classes
    .filter(({ spec }) => spec.extendedResourceName === resource)
    .toSorted((a, b) => born(b) - born(a) || ((a.metadata?.name ?? '') < (b.metadata?.name ?? '') ? -1 : 1));
  if (named[0] !== undefined) return named[0];
  if (!resource.startsWith(implicitPrefix)) return undefined;
  return classes.find(({ metadata }) => metadata?.name === resource.slice(implicitPrefix.length));
}

/**
 * The claim for the resources of a pod that a node does not have itself, each with its class; undefined for none
 * (extendeddynamicresources.go, 1.36).
 */
export function extendedClaim(pod: Pod, classes: ReadonlyMap<string, string>): ExtendedClaim | undefined {
  const { metadata, spec } = pod;
  const requests: DeviceRequest[] = [];
  const mappings: RequestMapping[] = [];
  for (const resource of [...classes.keys()].toSorted()) {
    const wanted = requestsFor(pod, resource, classes.get(resource) ?? '');
    append(requests, wanted.requests);
    append(mappings, wanted.mappings);
  }
  if (requests.length === 0 || spec === undefined) return undefined;
  const { name = '', namespace = '', uid = '' } = metadata ?? {};
  return {
    mappings,
    claim: {
      metadata: {
        namespace,
        uid: `extended resources of ${uid}`,
        generateName: `${name}-extended-resources-`,
        ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name, uid, controller: true }],
        annotations: { [annotation]: 'true' },
      },
      spec: { devices: { requests: requests.toSorted((a, b) => (a.name < b.name ? -1 : 1)) } },
    },
  };
}

interface Wanted {
  readonly requests: readonly DeviceRequest[];
  readonly mappings: readonly RequestMapping[];
}

/**
 * Containers that stay have devices of their own; those that only begin use what others will have later, and the
 * largest of them asks for what is left.
 */
function requestsFor({ spec }: Pod, resource: string, deviceClassName: string): Wanted {
  const begins = spec?.initContainers ?? [];
  const containers = [...begins, ...(spec?.containers ?? [])];
  const staying: (DeviceRequest | undefined)[] = containers.map(() => undefined);
  const mappings: RequestMapping[] = [];
  const isShort = (i: number): boolean => i < begins.length && containers[i]?.restartPolicy !== 'Always';
  for (const [i, container] of containers.entries()) {
    if (isShort(i)) continue;
    const own = requestOf(container, i, { resource, deviceClassName, usable: [] });
    staying[i] = own.request;
    append(mappings, own.mappings);
  }
  let largest: DeviceRequest | undefined;
  const names = new Set<string>();
  const short: RequestMapping[] = [];
  for (const [i, container] of containers.entries()) {
    if (!isShort(i)) continue;
    const usable = staying.slice(i).flatMap((request) => request ?? []);
    const own = requestOf(container, i, { resource, deviceClassName, usable });
    append(short, own.mappings);
    if (own.request === undefined) continue;
    names.add(own.request.name);
    if (largest === undefined || countOf(largest) < countOf(own.request)) largest = own.request;
  }
  const shared = largest?.name ?? '';
  return {
    requests: [...(largest === undefined ? [] : [largest]), ...staying.flatMap((request) => request ?? [])],
    mappings: [
      ...mappings,
      ...short.map((each) => (names.has(each.requestName) ? { ...each, requestName: shared } : each)),
    ],
  };
}

function requestOf(
  { name, resources }: Container,
  index: number,
  {
    deviceClassName,
    resource,
    usable,
  }: { readonly resource: string; readonly deviceClassName: string; readonly usable: readonly DeviceRequest[] },
): { readonly request?: DeviceRequest; readonly mappings: readonly RequestMapping[] } {
  const asked = resources?.requests ?? {};
  const count = Number(Quantity.parse(asked[resource] ?? '0').toString());
  if (!Number.isSafeInteger(count) || count === 0) return { mappings: [] };
  const mapping = (requestName: string): RequestMapping => ({
    containerName: name,
    resourceName: resource,
    requestName,
  });
  const mappings: RequestMapping[] = [];
  let sum = 0;
  for (const each of usable) {
    sum += countOf(each);
    mappings.push(mapping(each.name));
    if (sum >= count) return { mappings };
  }
  const requestName = `container-${index}-request-${Object.keys(asked).toSorted().indexOf(resource)}`;
  const exactly = { deviceClassName, allocationMode: 'ExactCount', count: count - sum } as const;
  return { request: { name: requestName, exactly }, mappings: [...mappings, mapping(requestName)] };
}

function countOf({ exactly }: DeviceRequest): number {
  return exactly?.count ?? 0;
}
