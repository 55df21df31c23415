import { invalidValue, parseIPAddress } from '@kubechain/apimachinery';
import type { FieldError, FieldPath, IPAddress } from '@kubechain/apimachinery';

/** Whether the first bits of an address of this family are `prefix`. */
function startsWith(
  { family, value }: IPAddress,
  prefix: { readonly family: 4 | 6; readonly value: bigint; readonly bits: number },
): boolean {
  return family === prefix.family && value >> BigInt((family === 4 ? 32 : 128) - prefix.bits) === prefix.value;
}

/** Addresses that traffic to endpoints never goes to, and what the reference says of them, in its order. */
const special: readonly (readonly [test: (address: IPAddress) => boolean, message: (text: string) => string])[] = [
  [({ value }) => value === 0n, (text) => `may not be unspecified (${text})`],
  [
    (address) =>
      startsWith(address, { family: 4, value: 127n, bits: 8 }) ||
      startsWith(address, { family: 6, value: 1n, bits: 128 }),
    () => 'may not be in the loopback range (127.0.0.0/8, ::1/128)',
  ],
  [
    (address) =>
      startsWith(address, { family: 4, value: 0xa9fen, bits: 16 }) ||
      startsWith(address, { family: 6, value: 0x3fan, bits: 10 }),
    () => 'may not be in the link-local range (169.254.0.0/16, fe80::/10)',
  ],
  // Go looks at the scope of IPv6 multicast addresses alone, not at their flags.
  [
    (address) =>
      startsWith(address, { family: 4, value: 0xe0_0000n, bits: 24 }) ||
      (address.family === 6 && ((address.value >> 112n) & 0xff0fn) === 0xff02n),
    () => 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
  ],
];

/** An address that traffic may be sent to (ValidateEndpointIP of pkg/apis/core/validation, 1.36). */
export function validateEndpointIP(text: string, path: FieldPath): FieldError[] {
  const address = parseIPAddress(text);
  if (address === undefined) return [invalidValue(path, text, 'must be a valid IP address')];
  return special.flatMap(([test, message]) => (test(address) ? [invalidValue(path, text, message(text))] : []));
}
