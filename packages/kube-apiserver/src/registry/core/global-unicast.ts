import { parseIPAddress } from '@kubechain/apimachinery';
import type { IPAddress } from '@kubechain/apimachinery';

/** Addresses that belong to one machine, one link or many machines: family, leading bits, and how many. */
const others: readonly (readonly [family: 4 | 6, value: bigint, bits: number])[] = [
  [4, 127n, 8],
  [4, 0xa9fen, 16],
  [4, 0xen, 4],
  [4, 0xffff_ffffn, 32],
  [6, 1n, 128],
  [6, 0x3fan, 10],
  [6, 0xffn, 8],
];

/**
 * Whether traffic may be proxied to an address: not to this machine, a link, a group, or nowhere (Go's
 * net.IP.IsGlobalUnicast). Texts that are no addresses: false.
 */
export function isGlobalUnicast(text: string): boolean {
  const address = parseIPAddress(text);
  return (
    address !== undefined &&
    address.value !== 0n &&
    !others.some(([family, value, bits]) => startsWith(address, family, { value, bits }))
  );
}

function startsWith(
  address: IPAddress,
  family: 4 | 6,
  { value, bits }: { readonly value: bigint; readonly bits: number },
): boolean {
  return address.family === family && address.value >> BigInt((family === 4 ? 32 : 128) - bits) === value;
}
