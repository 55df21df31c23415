import type { EndpointSlice } from '@kubechain/apimachinery/types/discovery/v1';
import type {
  IPAddress,
  Ingress,
  IngressClass,
  NetworkPolicy,
  ServiceCIDR,
} from '@kubechain/apimachinery/types/networking/v1';
import { addressesCell, none, selectorCell, threeOf } from '../table/cells.ts';
import { ageOf, nameOf } from '../table/printer.ts';
import type { Printer } from '../table/printer.ts';

/** Row of Ingress (pkg/printers/internalversion, 1.36). */
export const printIngress: Printer<Ingress> = (ingress) => [
  nameOf(ingress),
  ingress.spec?.ingressClassName ?? none,
  hostsCell((ingress.spec?.rules ?? []).map((rule) => rule.host ?? '')),
  addressesCell(ingress.status?.loadBalancer?.ingress),
  (ingress.spec?.tls?.length ?? 0) > 0 ? '80, 443' : '80',
  ageOf(ingress),
];

const shownHosts = 3;

/** The first three hosts; how many more there are is counted in rules, with a host or without. */
function hostsCell(hosts: readonly string[]): string {
  const shown: string[] = [];
  let more = false;
  for (const host of hosts) {
    if (shown.length === shownHosts) more = true;
    else if (host !== '') shown.push(host);
  }
  if (shown.length === 0) return '*';
  return more ? `${shown.join(',')} + ${hosts.length - shownHosts} more...` : shown.join(',');
}

/** Row of IngressClass (pkg/printers/internalversion, 1.36). */
export const printIngressClass: Printer<IngressClass> = (ingressClass) => {
  const { metadata, spec } = ingressClass;
  const isDefault = metadata?.annotations?.['ingressclass.kubernetes.io/is-default-class'] === 'true';
  const parameters = spec?.parameters;
  return [
    isDefault ? `${nameOf(ingressClass)} (default)` : nameOf(ingressClass),
    spec?.controller ?? '',
    parameters === undefined
      ? none
      : `${parameters.kind || ''}${parameters.apiGroup === undefined ? '' : `.${parameters.apiGroup}`}/` +
        `${parameters.name || ''}`,
    ageOf(ingressClass),
  ];
};

/** One cell more than there are columns: the age, as the reference has it. */
export const printIPAddress: Printer<IPAddress> = (address) => {
  const parent = address.spec?.parentRef;
  if (parent === undefined) return [nameOf(address), none, ageOf(address)];
  const resource = `${parent.resource ?? ''}${parent.group ? `.${parent.group}` : ''}`.toLowerCase();
  return [
    nameOf(address),
    `${resource}${parent.namespace ? `/${parent.namespace}` : ''}/${parent.name ?? ''}`,
    ageOf(address),
  ];
};

/** Row of EndpointSlice (pkg/printers/internalversion, 1.36). */
export const printEndpointSlice: Printer<EndpointSlice> = (slice) => [
  nameOf(slice),
  slice.addressType ?? '',
  threeOf((slice.ports ?? []).map((port) => (port.port === undefined ? (port.name ?? '*') : String(port.port)))),
  threeOf((slice.endpoints ?? []).flatMap((endpoint) => endpoint.addresses ?? [])),
  ageOf(slice),
];

/** Row of NetworkPolicy. */
export const printNetworkPolicy: Printer<NetworkPolicy> = (policy) => [
  nameOf(policy),
  selectorCell(policy.spec?.podSelector ?? {}),
  ageOf(policy),
];

/** Row of ServiceCIDR. */
export const printServiceCIDR: Printer<ServiceCIDR> = (cidr) => [
  nameOf(cidr),
  (cidr.spec?.cidrs ?? []).join(','),
  ageOf(cidr),
];
