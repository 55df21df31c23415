import { addressBits, formatIPAddress, parseCIDR, parseIPAddress } from '@kubechain/apimachinery';

/** `IPv4` or `IPv6`, as services call the families. */
export type IPFamily = 'IPv4' | 'IPv6';

/** The family of an address or a CIDR that is known to be valid. */
export function familyOf(text: string): IPFamily {
  const address = parseCIDR(text)?.address ?? parseIPAddress(text);
  return address?.family === 6 ? 'IPv6' : 'IPv4';
}

const minBand = 16;
const maxBand = 256;
const bandShare = 16n;

/**
 * The addresses of one service CIDR that services may get: all but the network's own and, for IPv4, the broadcast
 * address.
 *
 *     network │ first … static band … │ dynamic band … last │ broadcast
 *
 * Addresses that nobody asked for by number come from the dynamic band while it has any, so that the static one stays
 * free for those who do (pkg/registry/core/service/ipallocator, 1.36).
 */
export class IPRange {
  /** Canonical text of the CIDR. */
  readonly text: string;
  readonly family: IPFamily;
  readonly #first: bigint;
  readonly #last: bigint;
  readonly #band: bigint;

  /** undefined for text that is no CIDR. */
  static parse(text: string): IPRange | undefined {
    const cidr = parseCIDR(text);
    return cidr === undefined ? undefined : new IPRange(cidr.address.family, cidr.network, cidr.prefix);
  }

  private constructor(family: 4 | 6, network: bigint, prefix: number) {
    const size = 1n << BigInt(addressBits(family) - prefix);
    this.family = family === 4 ? 'IPv4' : 'IPv6';
    this.text = `${formatIPAddress(family, network)}/${prefix}`;
    this.#first = network + 1n;
    this.#last = network + size - (family === 4 ? 2n : 1n);
    this.#band = size <= BigInt(minBand) ? 0n : bound(size / bandShare);
  }

  /** The address that the CIDR is written with; stands for one that a dry run does not look for. */
  get network(): string {
    return this.#format(this.#first - 1n);
  }
  /** The first address that a service may get. */
  get first(): string {
    return this.#format(this.#first);
  }

  /** How many addresses services may get. */
  get size(): bigint {
    return this.#last - this.#first + 1n;
  }

  contains(address: string): boolean {
    const parsed = parseIPAddress(address);
    return (
      parsed !== undefined &&
      (parsed.family === 4) === (this.family === 'IPv4') &&
      parsed.value >= this.#first &&
      parsed.value <= this.#last
    );
  }

  /** All addresses: the dynamic band from a random one on and around, then the static band likewise. */
  *candidates(random: () => number): Generator<string> {
    const border = this.#first + this.#band;
    yield* this.#around(border, this.#last, random);
    yield* this.#around(this.#first, border - 1n, random);
  }

  *#around(first: bigint, last: bigint, random: () => number): Generator<string> {
    const size = last - first + 1n;
    if (size <= 0n) return;
    const start = randomBelow(size, random);
    for (let i = 0n; i < size; i++) yield this.#format(first + ((start + i) % size));
  }

  #format(value: bigint): string {
    return formatIPAddress(this.family === 'IPv4' ? 4 : 6, value);
  }
}

function bound(size: bigint): bigint {
  return size < BigInt(minBand) ? BigInt(minBand) : size > BigInt(maxBand) ? BigInt(maxBand) : size;
}

/** `random` has 53 bits; larger ranges get theirs from several draws. */
function randomBelow(size: bigint, random: () => number): bigint {
  const draw = (): bigint => BigInt(Math.floor(random() * 2 ** 32));
  let value = 0n;
  for (let rest = size; rest > 0n; rest >>= 32n) value = (value << 32n) | draw();
  return value % size;
}
