import { OptionsError } from '@kubechain/apiserver/options';

/** First usable address of the first of `ranges` (`10.0.0.0/24,fd00::/112` → `10.0.0.1`). @throws OptionsError for text that is no CIDR */
export function firstAddress(ranges: string): string {
  const [network = ''] = (ranges.split(',')[0] ?? '').split('/');
  if (network.includes(':')) return network.endsWith('::') ? `${network}1` : network.replace(/:[^:]*$/, ':1');
  const octets = network.split('.').map(Number);
  if (octets.length !== 4 || octets.some((octet) => !Number.isInteger(octet) || octet > 255)) throw new OptionsError('InvalidValue', `--service-cluster-ip-range: ${ranges} is no CIDR`);
  const value = octets.reduce((sum, octet) => sum * 256 + octet, 0) + 1;
  return [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255].join('.');
}
