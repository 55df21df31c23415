import { goQuote } from '../errors/go-format.ts';
import type { FieldError } from '../errors/field-error.ts';
import { invalidValue } from '../errors/field-error.ts';
import type { FieldPath } from '../errors/field-path.ts';
import { ageOfBuiltinRelease } from './release-age.ts';
import type { ReleaseAge } from './release-age.ts';
import { addressBits, parseCIDR, parseIPAddress } from './ip-address.ts';

/**
 * An address in a field from before strict rules (upstream IsValidIPForLegacyField): any form that parses, with
 * `strict` neither leading zeros nor IPv4-mapped ones. What `old` holds is let through as it is.
 */
export function validateLegacyIP(
  path: FieldPath,
  value: string,
  options: { readonly strict?: boolean; readonly old?: ReadonlySet<string> } = {},
): FieldError[] {
  if (options.old?.has(value) === true) return [];
  const address = parseIPAddress(value);
  if (address === undefined)
    return [invalidValue(path, value, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')];
  const errors: FieldError[] = [];
  if (options.strict !== false) {
    if (address.leadingZeros) errors.push(invalidValue(path, value, 'must not have leading 0s'));
    else if (address.mapped) errors.push(invalidValue(path, value, 'must not be an IPv4-mapped IPv6 address'));
  }
  return errors;
}

/** An address in canonical form (upstream IsValidIP). */
export function validateIP(path: FieldPath, value: string): FieldError[] {
  const errors = validateLegacyIP(path, value);
  const text = parseIPAddress(value)?.text ?? '';
  return errors.length > 0 || text === value
    ? errors
    : [invalidValue(path, value, `must be in canonical form (${goQuote(text)})`)];
}

/** What is odd about an address that {@link validateLegacyIP} accepts. */
export function ipWarnings(path: FieldPath, value: string): string[] {
  const address = parseIPAddress(value);
  if (address === undefined) return [];
  if (address.leadingZeros || address.mapped)
    return [`${path.toString()}: non-standard IP address ${goQuote(value)} is invalid: use ${goQuote(address.text)}`];
  return address.family === 6 && address.text !== value
    ? [
        `${path.toString()}: IPv6 address ${goQuote(value)} should be in RFC 5952 canonical format ` +
          `(${goQuote(address.text)})`,
      ]
    : [];
}

/** A range in a field from before strict rules (upstream IsValidCIDRForLegacyField). */
export function validateLegacyCIDR(
  path: FieldPath,
  value: string,
  options: { readonly strict?: boolean; readonly old?: ReadonlySet<string> } = {},
): FieldError[] {
  if (options.old?.has(value) === true) return [];
  const cidr = parseCIDR(value);
  if (cidr === undefined)
    return [invalidValue(path, value, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)')];
  if (options.strict === false) return [];
  if (cidr.leadingZeros) return [invalidValue(path, value, 'must not have leading 0s in IP or prefix length')];
  if (cidr.address.mapped) return [invalidValue(path, value, 'must not have an IPv4-mapped IPv6 address')];
  if (cidr.network !== cidr.address.value)
    return [invalidValue(path, value, 'must not have bits set beyond the prefix length')];
  return [];
}

/** A range in canonical form (upstream IsValidCIDR). */
export function validateCIDR(path: FieldPath, value: string): FieldError[] {
  const errors = validateLegacyCIDR(path, value);
  const text = parseCIDR(value)?.text ?? '';
  return errors.length > 0 || text === value
    ? errors
    : [invalidValue(path, value, `must be in canonical form (${goQuote(text)})`)];
}

/** What is odd about a range that {@link validateLegacyCIDR} accepts. */
export function cidrWarnings(path: FieldPath, value: string, release: ReleaseAge = ageOfBuiltinRelease): string[] {
  const verdict = release.since('1.36') ? 'is invalid' : 'will be considered invalid in a future Kubernetes release';
  const cidr = parseCIDR(value);
  if (cidr === undefined) return [];
  const warnings: string[] = [];
  if (cidr.network !== cidr.address.value) {
    const single = `${cidr.address.text}/${addressBits(cidr.address.family)}`;
    warnings.push(
      `${path.toString()}: CIDR value ${goQuote(value)} is ambiguous in this context (should be ` +
        `${goQuote(cidr.text)} or ${goQuote(single)}?)`,
    );
  }
  if (cidr.leadingZeros || cidr.address.mapped)
    warnings.push(
      `${path.toString()}: non-standard CIDR value ${goQuote(value)} ${verdict}: use ${goQuote(cidr.text)}`,
    );
  if (warnings.length === 0 && cidr.address.family === 6 && cidr.text !== value) {
    warnings.push(
      `${path.toString()}: IPv6 CIDR value ${goQuote(value)} should be in RFC 5952 canonical format ` +
        `(${goQuote(cidr.text)})`,
    );
  }
  return warnings;
}
