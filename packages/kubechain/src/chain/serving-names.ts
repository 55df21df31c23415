import { formatIPAddress, parseCIDR } from '@kubechain/apimachinery';
import { isIP } from 'node:net';
import { lastValue, type GivenFlag } from './route-flags.ts';

/**
 * Addresses besides the usual ones by which flags say that the servers are reached: the serving certificate names them.
 * That of the Service `kubernetes` is the first of each range of cluster IPs.
 */
export function servingNames(given: readonly GivenFlag[]): readonly string[] {
  const told = ['advertise-address', 'bind-address', 'external-hostname']
    .map((flag) => lastValue(given, flag) ?? '')
    .filter((name) => !UNSPECIFIED.has(name) && (isIP(name) !== 0 || DNS_NAME.test(name)));
  const ranges = lastValue(given, 'service-cluster-ip-range')?.split(',') ?? [];
  return [...told, ...ranges.flatMap((range) => firstAddress(range.trim()))];
}

function firstAddress(range: string): readonly string[] {
  const cidr = parseCIDR(range);
  return cidr === undefined ? [] : [formatIPAddress(cidr.address.family, cidr.network + 1n)];
}

const UNSPECIFIED: ReadonlySet<string> = new Set(['', '0.0.0.0', '::']);
const DNS_NAME = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/i;
