import { addressBits, formatIPAddress, goQuote, parseIPAddress } from '@kubechain/apimachinery';
import { define } from './functions.ts';
import type { CelFunction } from './functions.ts';
import { CelError, CelOpaque } from './values.ts';

interface Address { readonly family: 4 | 6; readonly value: bigint; readonly text: string }
interface Network { readonly address: Address; readonly length: number }
type IP = CelOpaque & { readonly value: Address };
type CIDR = CelOpaque & { readonly value: Network };

const madeIP = (address: Address): CelOpaque => new CelOpaque('net.IP', address.text, address);
const madeCIDR = (network: Network): CelOpaque => new CelOpaque('net.CIDR', `${network.address.text}/${network.length}`, network);

function parseIP(text: string): IP {
  const address = parseIPAddress(text);
  if (address === undefined || (address.leadingZeros && !address.mapped)) throw new CelError(`IP Address ${goQuote(text)} parse error during conversion from string: ParseAddr(${goQuote(text)}): unable to parse IP`);
  if (address.mapped) throw new CelError(`IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);
  return madeIP(address) as IP;
}

function parseCIDR(text: string): CIDR {
  const [, head = '', length = ''] = /^([^/]*)\/(0|[1-9][0-9]*)$/.exec(text) ?? [];
  const address = parseIPAddress(head);
  if (address?.mapped === true) throw new CelError(`IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);
  if (address === undefined || address.leadingZeros || Number(length) > addressBits(address.family)) throw new CelError(`network address parse error during conversion from string: netip.ParsePrefix(${goQuote(text)}): no valid network`);
  return madeCIDR({ address, length: Number(length) }) as CIDR;
}

function succeeds(parse: (text: string) => unknown, text: string): boolean {
  try {
    parse(text);
    return true;
  } catch (error) {
    if (error instanceof CelError) return false;
    throw error;
  }
}

function within({ address, length }: Network, { family, value }: Address): boolean {
  const shift = BigInt(addressBits(address.family) - length);
  return family === address.family && value >> shift === address.value >> shift;
}

function masked({ address, length }: Network): CelOpaque {
  const shift = BigInt(addressBits(address.family) - length);
  const value = (address.value >> shift) << shift;
  return madeCIDR({ address: { family: address.family, value, text: formatIPAddress(address.family, value) }, length });
}

/** Whether an address is in a network written as text. */
const inNetwork = (address: Address, text: string): boolean => within(parseCIDR(text).value, address);
const containsNetwork = (a: Network, b: Network): boolean => b.length >= a.length && within(a, b.address);
const isLoopback = (a: Address): boolean => inNetwork(a, '127.0.0.0/8') || inNetwork(a, '::1/128');
const isMulticast = (a: Address): boolean => inNetwork(a, '224.0.0.0/4') || inNetwork(a, 'ff00::/8');
const isLinkLocalUnicast = (a: Address): boolean => inNetwork(a, '169.254.0.0/16') || inNetwork(a, 'fe80::/10');
const isLinkLocalMulticast = (a: Address): boolean => inNetwork(a, '224.0.0.0/24') || (a.family === 6 && (a.value >> 112n & 0xff0fn) === 0xff02n);
const isBroadcast = (a: Address): boolean => a.family === 4 && a.value === 0xffff_ffffn;

/** Addresses and networks (apiserver/cel/library/ip.go and cidr.go, 1.36). */
export const networkFunctions: readonly CelFunction[] = [
  define('ip(string): net.IP', parseIP), define('isIP(string): bool', (text: string) => succeeds(parseIP, text)), define('string(net.IP): string', (ip: IP) => ip.key),
  define('ip.isCanonical(string): bool', (text: string) => parseIP(text).key === text), define('net.IP.family(): int', ({ value }: IP) => BigInt(value.family)),
  define('net.IP.isUnspecified(): bool', ({ value }: IP) => value.value === 0n), define('net.IP.isLoopback(): bool', ({ value }: IP) => isLoopback(value)),
  define('net.IP.isLinkLocalMulticast(): bool', ({ value }: IP) => isLinkLocalMulticast(value)), define('net.IP.isLinkLocalUnicast(): bool', ({ value }: IP) => isLinkLocalUnicast(value)),
  define('net.IP.isGlobalUnicast(): bool', ({ value }: IP) => value.value !== 0n && !isLoopback(value) && !isMulticast(value) && !isLinkLocalUnicast(value) && !isBroadcast(value)),
  define('cidr(string): net.CIDR', parseCIDR), define('isCIDR(string): bool', (text: string) => succeeds(parseCIDR, text)), define('string(net.CIDR): string', (cidr: CIDR) => cidr.key),
  define('net.CIDR.containsIP(string): bool', (cidr: CIDR, text: string) => within(cidr.value, parseIP(text).value)), define('net.CIDR.containsIP(net.IP): bool', (cidr: CIDR, ip: IP) => within(cidr.value, ip.value)),
  define('net.CIDR.containsCIDR(string): bool', (a: CIDR, text: string) => containsNetwork(a.value, parseCIDR(text).value)),
  define('net.CIDR.containsCIDR(net.CIDR): bool', (a: CIDR, b: CIDR) => containsNetwork(a.value, b.value)),
  define('net.CIDR.ip(): net.IP', (cidr: CIDR) => madeIP(cidr.value.address)), define('net.CIDR.prefixLength(): int', (cidr: CIDR) => BigInt(cidr.value.length)), define('net.CIDR.masked(): net.CIDR', (cidr: CIDR) => masked(cidr.value)),
];
