import { FieldPath, internalError, invalid, invalidValue, messageOf } from '@kubechain/apimachinery';
import type { Service } from '@kubechain/apimachinery/types/core/v1';
import { isAllocationError } from './allocation-error.ts';
import type { ClusterIPAllocator } from './cluster-ip-allocator.ts';
import type { ServiceReference } from './ip-address-object.ts';
import type { IPFamily } from './ip-range.ts';
import { fillIPFamilies, keepsPreferredFamilies } from './ip-families.ts';
import type { NodePortAllocator } from './node-port-allocator.ts';
import { allocateHealthCheckPort, allocateNodePorts, updateNodePorts } from './node-ports.ts';
import { PortOperation } from './port-operation.ts';
import { headless, needsHealthCheckPort, nodePortsOf, specOf } from './service-view.ts';

/** What services get their addresses and ports from. */
export interface ServiceAllocators {
  readonly clusterIPs: ClusterIPAllocator;
  readonly nodePorts: NodePortAllocator;
  /** What could not be given back: the repair loops find it. */
  readonly onError: (error: unknown) => void;
}

/** Addresses of one write: to be given back if it fails, and to be freed when it has succeeded. */
interface Addresses {
  readonly allocated: readonly string[];
  readonly released: readonly string[];
}

/** One write of a service; `finish` is called once. */
export interface ServiceAllocation {
  readonly finish: (success: boolean) => Promise<void>;
}

export interface AllocationCall {
  readonly reference: ServiceReference;
  readonly dryRun: boolean;
  /** Whether addresses have to be in their canonical form. Default: yes. */
  readonly strictAddresses?: boolean;
}

/**
 * Gives a new service, or one about to be changed (`old`), the addresses and ports that it needs and does not have
 * (allocateCreate and allocateUpdate of pkg/registry/core/service/storage, 1.36).
 * @throws StatusError Invalid for a value that cannot be had, InternalError when nothing is left; nothing is then taken
 */
export async function allocateForService(
  allocators: ServiceAllocators,
  change: { readonly service: Service; readonly old?: Service },
  call: AllocationCall,
): Promise<ServiceAllocation> {
  const { service, old } = change;
  const { clusterIPs, nodePorts, onError } = allocators;
  const { strictAddresses = true } = call;
  fillIPFamilies(service, old, { families: clusterIPs.families, strictAddresses });
  const addresses =
    old === undefined
      ? await allocateAddresses(allocators, service, call)
      : await updateAddresses(allocators, { service, old }, call);
  const ports = new PortOperation(nodePorts, call.dryRun);
  const finish = async (success: boolean): Promise<void> => {
    await ports.finish(success, onError);
    if (!call.dryRun)
      for (const address of success ? addresses.released : addresses.allocated)
        await clusterIPs.release(address, call.reference);
  };
  try {
    if (old === undefined) {
      await allocateNodePorts(service, ports);
      if (needsHealthCheckPort(service)) await allocateHealthCheckPort(service, ports);
    } else await updateNodePorts(service, old, ports);
  } catch (error) {
    await finish(false);
    throw error;
  }
  return { finish };
}

/** Gives back everything that a deleted service had. */
export async function releaseAll(
  { clusterIPs, nodePorts, onError }: ServiceAllocators,
  service: Service,
  reference: ServiceReference,
): Promise<void> {
  for (const address of service.spec?.clusterIPs ?? [])
    if (address !== headless && service.spec?.type !== 'ExternalName') await clusterIPs.release(address, reference);
  const ports = new PortOperation(nodePorts, false);
  for (const port of nodePortsOf(service)) ports.releaseLater(port);
  if (needsHealthCheckPort(service) && service.spec?.healthCheckNodePort)
    ports.releaseLater(service.spec.healthCheckNodePort);
  await ports.finish(true, onError);
}

async function allocateAddresses(
  allocators: ServiceAllocators,
  service: Service,
  call: AllocationCall,
): Promise<Addresses> {
  const spec = specOf(service);
  if (spec.type === 'ExternalName' || spec.clusterIPs?.[0] === headless) return { allocated: [], released: [] };
  return allocateMissing(allocators, service, call);
}

/** Takes the addresses of the families from index `from` on: those that are named, and any for the others. */
async function allocateMissing(
  { clusterIPs }: ServiceAllocators,
  service: Service,
  { reference, dryRun, from = 0 }: AllocationCall & { readonly from?: number },
): Promise<Addresses> {
  const spec = specOf(service);
  const wanted = [...(spec.clusterIPs ?? [])];
  const allocated: string[] = [];
  try {
    for (const [i, family] of (spec.ipFamilies ?? []).entries()) {
      if (i < from) continue;
      const address = wanted[i] ?? '';
      if (address === '') wanted[i] = await clusterIPs.allocateNext(family as IPFamily, { service: reference, dryRun });
      else await clusterIPs.allocate(address, { service: reference, dryRun });
      allocated.push(wanted[i] ?? '');
    }
  } catch (error) {
    if (!dryRun) for (const address of allocated) await clusterIPs.release(address, reference);
    throw addressError(error, service, wanted[allocated.length + from] ?? '');
  }
  spec.clusterIPs = wanted;
  spec.clusterIP = wanted[0] ?? '';
  return { allocated, released: [] };
}

function addressError(error: unknown, service: Service, wanted: string): unknown {
  const name = service.metadata?.name ?? '';
  const message = messageOf(error);
  if (isAllocationError(error, 'Full'))
    return internalError(`failed to allocate a serviceIP for Service ${JSON.stringify(name)}: ${message}`);
  const path = FieldPath.of('spec', 'clusterIPs');
  const { clusterIPs = [], ipFamilies = [] } = service.spec ?? {};
  const value = ipFamilies.map((_family, i) => clusterIPs[i] ?? '');
  return invalid({ group: '', kind: 'Service' }, name, [
    invalidValue(
      path,
      value,
      wanted === '' ? `failed to allocate IP: ${message}` : `failed to allocate IP ${wanted}: ${message}`,
    ),
  ]);
}

/** Types come and go, and the second address with its family; the first one stays. */
async function updateAddresses(
  allocators: ServiceAllocators,
  { service, old }: { readonly service: Service; readonly old: Service },
  call: AllocationCall,
): Promise<Addresses> {
  const none: Addresses = { allocated: [], released: [] };
  if (keepsPreferredFamilies(service, old)) return none;
  const before = old.spec?.clusterIPs ?? [];
  const isExternal = service.spec?.type === 'ExternalName';
  if (old.spec?.type === 'ExternalName') return isExternal ? none : allocateAddresses(allocators, service, call);
  if (before[0] === headless) return none;
  if (isExternal) return { allocated: [], released: before };
  const families = service.spec?.ipFamilies?.length ?? 0;
  const familiesBefore = old.spec?.ipFamilies?.length ?? 0;
  if (familiesBefore === 1 && families === 2) return allocateMissing(allocators, service, { ...call, from: 1 });
  if (familiesBefore === 2 && families === 1 && before[1] !== undefined)
    return { allocated: [], released: [before[1]] };
  return none;
}
