import { addressBits, formatIPAddress, goQuote, parseIPAddress } from '@kubechain/apimachinery';
import { define } from '../functions.ts';
import type { CelFunction } from '../functions.ts';
import { CelError, CelOpaque, noSuchOverload } from '../values/values.ts';
import { succeeds } from './succeeds.ts';

/** An IP address; costs go by its bytes. */
class IP extends CelOpaque {
  readonly typeName = 'net.IP';
  readonly family: 4 | 6;
  readonly value: bigint;
  constructor(family: 4 | 6, value: bigint) {
    super();
    this.family = family;
    this.value = value;
  }
  override get size(): number {
    return addressBits(this.family) / 8;
  }
  override get text(): string {
    return formatIPAddress(this.family, this.value);
  }
  override equals(other: CelOpaque): boolean {
    return other instanceof IP && other.family === this.family && other.value === this.value;
  }
}

/** An address with the length of its network's prefix; costs go by the bytes of the prefix. */
class CIDR extends CelOpaque {
  readonly typeName = 'net.CIDR';
  readonly address: IP;
  readonly length: number;
  constructor(address: IP, length: number) {
    super();
    this.address = address;
    this.length = length;
  }
  override get size(): number {
    return Math.ceil(this.length / 8);
  }
  override get text(): string {
    return `${this.address.text}/${this.length}`;
  }
  get #hostBits(): bigint {
    return BigInt(addressBits(this.address.family) - this.length);
  }
  get masked(): CIDR {
    return new CIDR(new IP(this.address.family, (this.address.value >> this.#hostBits) << this.#hostBits), this.length);
  }
  has({ family, value }: IP): boolean {
    return family === this.address.family && value >> this.#hostBits === this.address.value >> this.#hostBits;
  }
  override equals(other: CelOpaque): boolean {
    return other instanceof CIDR && other.length === this.length && other.address.equals(this.address);
  }
}

/** What netip.ParseAddr says of a text that is no address. */
function addressProblem(text: string): string {
  const quoted = goQuote(text);
  if (!/[.:%]/.test(text)) return `ParseAddr(${quoted}): unable to parse IP`;
  if (/^[^.:]*\./.test(text)) return `ParseAddr(${quoted}): ${ipv4Problem(text)}`;
  return `ParseAddr(${quoted}): ${ipv6Problem(text)}`;
}

function ipv4Problem(text: string): string {
  let digits = '',
    fields = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i);
    if (/\d/.test(character)) {
      if (digits === '0') return 'IPv4 field has octet with leading zero';
      digits += character;
      if (Number(digits) > 255) return 'IPv4 field has value >255';
    } else if (character === '.') {
      if (i === 0 || i === text.length - 1 || text.charAt(i - 1) === '.')
        return `IPv4 field must have at least one digit (at ${goQuote(text.slice(i))})`;
      if (fields === 3) return 'IPv4 address too long';
      fields++;
      digits = '';
    } else return `unexpected character (at ${goQuote(text.slice(i))})`;
  }
  return 'IPv4 address too short';
}

function ipv6Problem(text: string): string {
  let rest = text,
    groups = 0,
    ellipsis = -1;
  if (rest.startsWith('::')) {
    ellipsis = 0;
    rest = rest.slice(2);
  }
  while (groups < 8 && rest !== '') {
    const digits = /^[0-9a-fA-F]*/.exec(rest)?.[0] ?? '';
    if (digits.length > 4) return `each group must have 4 or less digits (at ${goQuote(rest)})`;
    if (digits === '') return `each colon-separated field must have at least one digit (at ${goQuote(rest)})`;
    if (rest.charAt(digits.length) === '.') {
      if (ellipsis < 0 && groups !== 6)
        return `embedded IPv4 address must replace the final 2 fields of the address (at ${goQuote(rest)})`;
      if (groups + 2 > 8)
        return `too many hex fields to fit an embedded IPv4 at the end of the address (at ${goQuote(rest)})`;
      return ipv4Problem(rest);
    }
    groups++;
    rest = rest.slice(digits.length);
    if (rest === '') break;
    if (!rest.startsWith(':')) return `unexpected character, want colon (at ${goQuote(rest)})`;
    if (rest.length === 1) return `colon must be followed by more characters (at ${goQuote(rest)})`;
    rest = rest.slice(1);
    if (!rest.startsWith(':')) continue;
    if (ellipsis >= 0) return `multiple :: in address (at ${goQuote(rest)})`;
    ellipsis = groups;
    rest = rest.slice(1);
  }
  if (rest !== '') return `trailing garbage after address (at ${goQuote(rest)})`;
  return groups < 8 && ellipsis < 0 ? 'address string too short' : 'the :: must expand to at least one field of zeros';
}

/** Reads an address; `problem` makes the error of what netip says. */
function addressOf(text: string, problem: (why: string) => CelError): IP {
  if (/%./.test(text) && parseIPAddress(text.replace(/%.*$/s, '')) !== undefined && text.includes(':'))
    throw new CelError(`IP address ${goQuote(text)} with zone value is not allowed`);
  const address = parseIPAddress(text);
  if (address === undefined || address.leadingZeros) throw problem(addressProblem(text));
  if (address.mapped) throw new CelError(`IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);
  return new IP(address.family, address.value);
}

function parseIP(text: string): IP {
  return addressOf(
    text,
    (why) => new CelError(`IP Address ${goQuote(text)} parse error during conversion from string: ${why}`),
  );
}

const context = 'network address parse error during conversion from string: ';

/** An IPv6 address with something behind a `%`. */
function hasZone(address: string): boolean {
  const percent = address.indexOf('%');
  return percent >= 0 && percent < address.length - 1 && address.lastIndexOf(':', percent) >= 0;
}

function parseCIDR(text: string): CIDR {
  const refused = (why: string): CelError =>
    new CelError(`${context}${context}netip.ParsePrefix(${goQuote(text)}): ${why}`);
  const slash = text.lastIndexOf('/');
  if (slash < 0) throw refused("no '/'");
  const head = text.slice(0, slash),
    bits = text.slice(slash + 1);
  if (hasZone(head)) throw refused('IPv6 zones cannot be present in a prefix');
  const address = parseIPAddress(head);
  if (address?.mapped === true)
    throw new CelError(`${context}IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);
  if (address === undefined || address.leadingZeros) throw refused(addressProblem(head));
  if (!/^(?:0|[1-9]\d*)$/.test(bits)) throw refused(`bad bits after slash: ${goQuote(bits)}`);
  if (Number(bits) > addressBits(address.family)) throw refused('prefix length out of range');
  return new CIDR(new IP(address.family, address.value), Number(bits));
}

const network = (text: string): CIDR => parseCIDR(text);
const loopback = [network('127.0.0.0/8'), network('::1/128')],
  multicast = [network('224.0.0.0/4'), network('ff00::/8')],
  linkLocal = [network('169.254.0.0/16'), network('fe80::/10')];
const isIn = (networks: readonly CIDR[], ip: IP): boolean => networks.some((one) => one.has(ip));
const isLinkLocalMulticast = (ip: IP): boolean =>
  ip.family === 4 ? ip.value >> 8n === 0xe00000n : ((ip.value >> 112n) & 0xff0fn) === 0xff02n;
const isBroadcast = ({ family, value }: IP): boolean => family === 4 && value === 0xffff_ffffn;
const contains = (outer: CIDR, inner: CIDR): boolean => inner.length >= outer.length && outer.has(inner.address);

/**
 * A text that is no address is told as an argument of the wrong type, by a slip of upstream's; one that is no network
 * is not.
 */
function containsAddress(cidr: CIDR, text: string): boolean {
  if (!succeeds(parseIP, text)) throw noSuchOverload();
  return cidr.has(parseIP(text));
}

/** Addresses and networks (apiserver/cel/library/ip.go and cidr.go, 1.36). */
export const networkFunctions: readonly CelFunction[] = [
  define('ip(string): net.IP', parseIP),
  define('isIP(string): bool', (text: string) => succeeds(parseIP, text)),
  define('string(net.IP): string', (ip: IP) => ip.text),
  define('ip.isCanonical(string): bool', (text: string) => parseIP(text).text === text),
  define('net.IP.family(): int', ({ family }: IP) => BigInt(family)),
  define('net.IP.isUnspecified(): bool', ({ value }: IP) => value === 0n),
  define('net.IP.isLoopback(): bool', (ip: IP) => isIn(loopback, ip)),
  define('net.IP.isLinkLocalMulticast(): bool', isLinkLocalMulticast),
  define('net.IP.isLinkLocalUnicast(): bool', (ip: IP) => isIn(linkLocal, ip)),
  define(
    'net.IP.isGlobalUnicast(): bool',
    (ip: IP) => ip.value !== 0n && !isIn([...loopback, ...multicast, ...linkLocal], ip) && !isBroadcast(ip),
  ),
  define('cidr(string): net.CIDR', parseCIDR),
  define('isCIDR(string): bool', (text: string) => succeeds(parseCIDR, text)),
  define('string(net.CIDR): string', (cidr: CIDR) => cidr.text),
  define('net.CIDR.containsIP(string): bool', containsAddress),
  define('net.CIDR.containsIP(net.IP): bool', (cidr: CIDR, ip: IP) => cidr.has(ip)),
  define('net.CIDR.containsCIDR(string): bool', (cidr: CIDR, text: string) => contains(cidr, parseCIDR(text))),
  define('net.CIDR.containsCIDR(net.CIDR): bool', contains),
  define('net.CIDR.ip(): net.IP', (cidr: CIDR) => cidr.address),
  define('net.CIDR.prefixLength(): int', (cidr: CIDR) => BigInt(cidr.length)),
  define('net.CIDR.masked(): net.CIDR', (cidr: CIDR) => cidr.masked),
];
