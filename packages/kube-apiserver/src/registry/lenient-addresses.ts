import type { FieldError, KubeObject } from '@kubechain/apimachinery';

/** What the canonical form is not: leading zeros, IPv4 in IPv6, bits beyond a prefix. */
const strict = /^must not (?:have (?:leading 0s|bits set beyond|an IPv4-mapped)|be an IPv4-mapped)/;
/** Kinds whose fields never took anything but the canonical form. */
const strictKinds: ReadonlySet<string> = new Set(['IPAddress', 'ServiceCIDR']);

/**
 * Mistakes without those of addresses and ranges that fields of old take in any form while StrictIPCIDRValidation is
 * off; there are warnings of them.
 */
export function lenientOfAddresses(errors: readonly FieldError[], object: KubeObject): FieldError[] {
  const { kind = '' } = object;
  // Endpoints with IPv6 came when the canonical form was asked for.
  const isStrict = strictKinds.has(kind) || (kind === 'EndpointSlice' && object['addressType'] === 'IPv6');
  return isStrict ? [...errors] : errors.filter(({ detail }) => !strict.test(detail));
}
