import { isAlreadyExists, isNotFound, parseIPAddress, parseTime } from '@kubechain/apimachinery';
import type { Clock, KubeObject } from '@kubechain/apimachinery';
import type { Service } from '@kubechain/apimachinery/types/core/v1';
import type { IPAddress } from '@kubechain/apimachinery/types/networking/v1';
import { OwnWrites, everything, internalContext } from '@kubechain/apiserver/resources';
import type { Store } from '@kubechain/apiserver/resources';
import type { ClusterIPAllocator } from '../../../service-allocation/cluster-ip-allocator.ts';
import {
  allocatorName,
  belongsTo,
  ipAddressObject,
  isServiceReference,
  managedByLabel,
} from '../../../service-allocation/ip-address-object.ts';
import type { ServiceReference } from '../../../service-allocation/ip-address-object.ts';
import { headless } from '../../../service-allocation/service-view.ts';

/** A service that is being written has its address before it exists: for so long nobody doubts the address. */
const graceMs = 60_000;

export interface RepairClusterIPsOptions {
  readonly services: Store;
  readonly addresses: Store;
  readonly allocator: ClusterIPAllocator;
  readonly clock: Clock;
  /** Told what was wrong, in a line each. */
  readonly report: (message: string) => void;
}

const context = internalContext({ groupResource: { group: 'networking.k8s.io', resource: 'ipaddresses' } });
const all = { predicate: everything, resourceVersion: '', resourceVersionMatch: '' as const, limit: 0, continue: '' };

/**
 * Makes services and IPAddresses agree: an address that a service has and nobody holds is taken for it, one that is
 * held for nobody is given back. Two services with one address are reported only
 * (pkg/registry/core/service/ipallocator/controller, 1.36).
 */
export async function repairClusterIPs(options: RepairClusterIPsOptions): Promise<void> {
  const { addresses, allocator, services } = options;
  await allocator.waitForSync();
  const held = new Map((await addresses.list(context, all)).items.map((item) => [item.attributes.name, item.object()]));
  const found = (
    await services.list(internalContext({ groupResource: { group: '', resource: 'services' } }), all)
  ).items.map((item) => item.object() as Service);
  const byName = new Map(found.map((service) => [keyOf(referenceOf(service)), service]));
  for (const service of found) await repairService(service, { ...options, held, byName });
  for (const [name, address] of held) await repairAddress(name, address, { ...options, byName });
}

interface Pass extends RepairClusterIPsOptions {
  readonly held: ReadonlyMap<string, KubeObject>;
  readonly byName: ReadonlyMap<string, Service>;
}

async function repairService(service: Service, pass: Pass): Promise<void> {
  const reference = referenceOf(service);
  const label = `service ${keyOf(reference)}`;
  if (service.spec?.type === 'ExternalName') return;
  for (const ip of service.spec?.clusterIPs ?? []) {
    if (ip === headless) continue;
    const address = parseIPAddress(ip)?.text ?? ip;
    if (!pass.allocator.covers(address)) {
      pass.report(`cluster IP ${address} of ${label} is not within any service CIDR; please recreate the service`);
      continue;
    }
    const holder = pass.held.get(address);
    if (holder === undefined) {
      pass.report(`cluster IP ${address} of ${label} is not allocated; repairing`);
      await take(address, reference, pass);
      continue;
    }
    if (belongsTo(holder, reference)) {
      if (holder.metadata?.labels?.[managedByLabel] !== allocatorName) await retake(address, reference, pass);
      continue;
    }
    const parent = (holder as unknown as IPAddress).spec.parentRef;
    const other = isServiceReference(holder) ? pass.byName.get(`${parent.namespace ?? ''}/${parent.name}`) : undefined;
    if (other?.spec?.clusterIPs?.includes(address) === true)
      pass.report(`cluster IP ${address} of ${label} was assigned to several services; please recreate it`);
    else {
      pass.report(`cluster IP ${address} of ${label} is held for somebody else; repairing`);
      await retake(address, reference, pass);
    }
  }
}

async function repairAddress(
  name: string,
  address: KubeObject,
  { addresses, byName, clock, report }: Omit<Pass, 'held'>,
): Promise<void> {
  if (address.metadata?.labels?.[managedByLabel] !== allocatorName) return;
  const parent = (address as unknown as IPAddress).spec.parentRef;
  const service = byName.get(`${parent.namespace ?? ''}/${parent.name}`);
  if (isServiceReference(address)) {
    if (service?.spec?.clusterIPs?.includes(name) === true) return;
    const created = address.metadata.creationTimestamp;
    if (created !== undefined && created !== null && clock.now() - parseTime(created) < graceMs) return;
  }
  report(`IPAddress ${name} appears to have leaked: cleaning up`);
  const { uid } = address.metadata;
  await drop(addresses, name, uid);
}

async function take(address: string, service: ServiceReference, { addresses, clock }: Pass): Promise<void> {
  try {
    await new OwnWrites(addresses, { scheme: addresses.spec.scheme, clock }).create(
      context,
      ipAddressObject(address, service),
    );
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

async function retake(address: string, service: ServiceReference, pass: Pass): Promise<void> {
  await drop(pass.addresses, address, pass.held.get(address)?.metadata?.uid);
  await take(address, service, pass);
}

async function drop(addresses: Store, name: string, uid: string | undefined): Promise<void> {
  try {
    await addresses.delete(context, name, () => undefined, {
      dryRun: false,
      ...(uid === undefined ? {} : { preconditions: { uid } }),
    });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

function referenceOf({ metadata }: Service): ServiceReference {
  return { namespace: metadata?.namespace ?? '', name: metadata?.name ?? '' };
}

function keyOf({ namespace, name }: ServiceReference): string {
  return `${namespace}/${name}`;
}
