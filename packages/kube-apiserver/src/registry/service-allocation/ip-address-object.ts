import type { KubeObject, ObjectMeta } from '@kubechain/apimachinery';
import type { IPAddress } from '@kubechain/apimachinery/types/networking/v1';
import { familyOf } from './ip-range.ts';

/** Label that says which family an IPAddress is of. */
export const familyLabel = 'ipaddress.kubernetes.io/ip-family';
/** Label that says who manages an IPAddress. */
export const managedByLabel = 'ipaddress.kubernetes.io/managed-by';
/** Its value for addresses of services. */
export const allocatorName = 'ipallocator.k8s.io';

/** Namespace and name of a service. */
export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
}

/** The object that makes an address a service's: its name is the address, and names are unique. */
export function ipAddressObject(address: string, service: ServiceReference): KubeObject & { metadata: ObjectMeta } {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IPAddress',
    metadata: { name: address, labels: { [familyLabel]: familyOf(address), [managedByLabel]: allocatorName } },
    spec: { parentRef: { resource: 'services', namespace: service.namespace, name: service.name } },
  };
}

/** Whether the IPAddress is the service's. */
export function belongsTo(address: KubeObject, service: ServiceReference): boolean {
  const parent = (address as unknown as Partial<IPAddress>).spec?.parentRef;
  return (
    isServiceReference(address) && (parent?.namespace ?? '') === service.namespace && parent?.name === service.name
  );
}

/** Whether the IPAddress is any service's. */
export function isServiceReference(address: KubeObject): boolean {
  const parent = (address as unknown as Partial<IPAddress>).spec?.parentRef;
  return (parent?.group ?? '') === '' && parent?.resource === 'services';
}
