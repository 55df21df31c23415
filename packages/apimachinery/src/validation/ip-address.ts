/** An IP address: 4 or 16 bytes. An IPv4 address written as IPv6 (`::ffff:1.2.3.4`) is IPv4, as in Go. */
export interface IPAddress {
  readonly family: 4 | 6;
  readonly value: bigint;
  /** Canonical text (RFC 5952 for IPv6). */
  readonly text: string;
  /** Written as an IPv4-mapped IPv6 address. */
  readonly mapped: boolean;
  /** An octet has leading zeros, which today's parsers refuse and older ones ignored. */
  readonly leadingZeros: boolean;
}

/** Bits of an address of a family. */
export function addressBits(family: 4 | 6): number {
  return family === 4 ? 32 : 128;
}

/** Parses as leniently as Go's netutils.ParseIPSloppy: leading zeros in IPv4 octets are ignored. No zones. */
export function parseIPAddress(text: string): IPAddress | undefined {
  return text.includes(':') ? parseIPv6(text) : parseIPv4(text);
}

function parseIPv4(text: string): IPAddress | undefined {
  const octets = text.split('.');
  if (octets.length !== 4) return undefined;
  // Numbers as long as they can be: arithmetic of bigints would be most of what a policy of 20,000 ranges costs.
  let value = 0;
  for (const octet of octets) {
    if (!/^[0-9]+$/.test(octet) || Number(octet) > 255) return undefined;
    value = value * 256 + Number(octet);
  }
  return {
    family: 4,
    value: BigInt(value),
    text: formatIPv4(value),
    mapped: false,
    leadingZeros: octets.some((octet) => octet.length > 1 && octet.startsWith('0')),
  };
}

function parseIPv6(text: string): IPAddress | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  let leadingZeros = false;
  const groupsOf = (half: string, last: boolean): number[] | undefined => {
    const groups: number[] = [];
    if (half === '') return groups;
    const parts = half.split(':');
    for (const [i, part] of parts.entries()) {
      if (part.includes('.')) {
        const v4 = last && i === parts.length - 1 ? parseIPv4(part) : undefined;
        if (v4 === undefined) return undefined;
        leadingZeros = v4.leadingZeros;
        groups.push(Number(v4.value >> 16n), Number(v4.value & 0xffffn));
      } else if (/^[0-9a-fA-F]{1,4}$/.test(part)) groups.push(Number.parseInt(part, 16));
      else return undefined;
    }
    return groups;
  };
  const head = groupsOf(halves[0] ?? '', halves.length === 1);
  const tail = halves.length === 2 ? groupsOf(halves[1] ?? '', true) : [];
  if (head === undefined || tail === undefined) return undefined;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
  const groups = [...head, ...Array<number>(missing).fill(0), ...tail];
  const value = groups.reduce((sum, group) => (sum << 16n) | BigInt(group), 0n);
  if (value >> 32n === 0xffffn)
    return {
      family: 4,
      value: value & 0xffff_ffffn,
      text: formatIPv4(Number(value & 0xffff_ffffn)),
      mapped: true,
      leadingZeros,
    };
  return { family: 6, value, text: formatIPv6(groups), mapped: false, leadingZeros };
}

/** Canonical text of an address. */
export function formatIPAddress(family: 4 | 6, value: bigint): string {
  if (family === 4) return formatIPv4(Number(value));
  return formatIPv6(Array.from({ length: 8 }, (_, i) => Number((value >> BigInt(112 - i * 16)) & 0xffffn)));
}

function formatIPv4(value: number): string {
  return `${value >>> 24}.${(value >>> 16) & 255}.${(value >>> 8) & 255}.${value & 255}`;
}

function formatIPv6(groups: readonly number[]): string {
  // The longest run of at least two zero groups becomes `::`; of equal ones the first.
  let start = -1;
  let length = 1;
  for (let i = 0; i < groups.length; i++) {
    let end = i;
    while (groups[end] === 0) end++;
    if (end - i > length) [start, length] = [i, end - i];
  }
  const hex = (part: readonly number[]): string => part.map((group) => group.toString(16)).join(':');
  return start < 0 ? hex(groups) : `${hex(groups.slice(0, start))}::${hex(groups.slice(start + length))}`;
}

/** An address range: `10.0.0.0/24`. */
export interface CIDR {
  readonly address: IPAddress;
  /** Bits of the prefix, counted in the address' own family. */
  readonly prefix: number;
  /** The first address of the range. */
  readonly network: bigint;
  /** Canonical text of the range. */
  readonly text: string;
  /** The prefix or an octet has leading zeros. */
  readonly leadingZeros: boolean;
}

/** Parses as Go's netutils.ParseCIDRSloppy. */
export function parseCIDR(text: string): CIDR | undefined {
  const slash = text.indexOf('/');
  const address = slash < 0 ? undefined : parseIPAddress(text.slice(0, slash));
  const digits = text.slice(slash + 1);
  if (address === undefined || !/^[0-9]+$/.test(digits)) return undefined;
  // Of a mapped address the prefix is counted in IPv6.
  const prefix = Number(digits) - (address.mapped ? 96 : 0);
  const bits = addressBits(address.family);
  if (Number(digits) > (address.mapped ? 128 : bits) || prefix < 0) return undefined;
  const network = (address.value >> BigInt(bits - prefix)) << BigInt(bits - prefix);
  return {
    address,
    prefix,
    network,
    text: `${formatIPAddress(address.family, network)}/${prefix}`,
    leadingZeros: address.leadingZeros || (digits.length > 1 && digits.startsWith('0')),
  };
}
