import {
  append,
  duplicate,
  FieldPath,
  invalidValue,
  notSupported,
  parseIPAddress,
  repeats,
  required,
  validateLegacyIP,
} from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { Service } from '@kubechain/apimachinery/types/core/v1';
import { headless, isHeadless } from './service-view.ts';

const specPath = FieldPath.of('spec');
const ipsPath = specPath.child('clusterIPs');
const familiesPath = specPath.child('ipFamilies');
const policyPath = specPath.child('ipFamilyPolicy');
const families = ['IPv4', 'IPv6'];
const policies = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];
const fixed = 'may not change once set';

/**
 * clusterIP, clusterIPs, ipFamilies and ipFamilyPolicy, alone and together (ValidateServiceClusterIPsRelatedFields of
 * pkg/apis/core/validation, 1.36). Addresses are in their canonical form, unless `strict` is false.
 */
export function validateClusterIPs(service: Service, old?: Service, strict = true): FieldError[] {
  const { clusterIP = '', clusterIPs: ips = [], ipFamilies = [], ipFamilyPolicy, type } = service.spec ?? {};
  if (type === 'ExternalName') return [];
  const errors: FieldError[] = [];
  if (clusterIP === '') {
    if (ips.length > 0) errors.push(invalidValue(ipsPath, ips, 'must be empty when `clusterIP` is not specified'));
  } else if (ips.length === 0) errors.push(required(ipsPath));
  else if (ips[0] !== clusterIP) errors.push(invalidValue(ipsPath, ips, 'first value must match `clusterIP`'));

  const repeated = repeats(ipFamilies);
  ipFamilies.forEach((family, i) => {
    if (!families.includes(family)) errors.push(notSupported(familiesPath.index(i), family, families));
    if (repeated[i] === true) errors.push(duplicate(familiesPath.index(i), family));
  });
  if (ipFamilyPolicy !== undefined && !policies.includes(ipFamilyPolicy))
    errors.push(notSupported(policyPath, ipFamilyPolicy, policies));

  const before = new Set(old?.spec?.clusterIPs);
  const invalidIPs = ips.flatMap((ip, i) => {
    if (i > 0 || ip !== headless) return validateLegacyIP(ipsPath.index(i), ip, { old: before, strict });
    return ips.length > 1 ? [invalidValue(ipsPath, ips, "'None' must be the first and only value")] : [];
  });
  append(errors, invalidIPs);
  if (ips.length > 2) errors.push(invalidValue(ipsPath, ips, 'may only hold up to 2 values'));
  return invalidIPs.length > 0 ? errors : [...errors, ...familyErrors(ips, ipFamilies, isHeadless(service))];
}

/** Two addresses are of two families, in the order of ipFamilies. */
function familyErrors(ips: readonly string[], ipFamilies: readonly string[], noAddresses: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const isIPv6 = (ip: string): boolean => parseIPAddress(ip)?.family === 6;
  if (ips.length > 1 && !(ips.some(isIPv6) && !ips.every(isIPv6)))
    errors.push(invalidValue(ipsPath, ips, 'may specify no more than one IP for each IP family'));
  if (noAddresses) return errors;
  ips.forEach((ip, i) => {
    const wanted = ipFamilies[i];
    if (families.includes(wanted ?? '') && (wanted === 'IPv6') !== isIPv6(ip))
      errors.push(
        invalidValue(ipsPath.index(i), ip, `expected an ${wanted ?? ''} value as indicated by \`ipFamilies[${i}]\``),
      );
  });
  return errors;
}

/** The first cluster IP stays; a second one may come, and go with its policy (validateUpgradeDowngradeClusterIPs). */
export function validateClusterIPsUpdate(service: Service, old: Service): FieldError[] {
  if (service.spec?.type === 'ExternalName' || old.spec?.type === 'ExternalName') return [];
  if (isHeadless(old) && isHeadless(service)) return [];
  const now = service.spec?.clusterIPs ?? [];
  const before = old.spec?.clusterIPs ?? [];
  const value = service.spec?.clusterIPs ?? null;
  if (now.length === before.length)
    return before.flatMap((ip, i) => (ip === now[i] ? [] : [invalidValue(ipsPath.index(i), value, fixed)]));
  const errors: FieldError[] = [];
  if (now.length === 0) errors.push(invalidValue(ipsPath.index(0), value, 'primary clusterIP can not be unset'));
  else if (before.length > 0 && now[0] !== before[0]) errors.push(invalidValue(ipsPath.index(0), value, fixed));
  if (before.length > now.length && now.length === 1) append(errors, mustBeSingleStack(service, 'clusterIP'));
  return errors;
}

/** The same for ipFamilies (validateUpgradeDowngradeIPFamilies). */
export function validateIPFamiliesUpdate(service: Service, old: Service): FieldError[] {
  if (service.spec?.type === 'ExternalName' || old.spec?.type === 'ExternalName') return [];
  if (isHeadless(old) || isHeadless(service)) return [];
  const now = service.spec?.ipFamilies ?? [];
  const before = old.spec?.ipFamilies ?? [];
  const at = familiesPath.index(0);
  if (now.length === before.length)
    return before.flatMap((family, i) => (family === now[i] ? [] : [invalidValue(at, now, fixed)]));
  const errors: FieldError[] = [];
  if (before.length > now.length && (service.spec?.clusterIPs?.length ?? 0) === 0)
    errors.push(invalidValue(at, now.length === 0 ? null : now, 'primary ipFamily can not be unset'));
  // The reference prints the addresses here.
  if (now.length > 0 && before.length > 0 && now[0] !== before[0])
    errors.push(invalidValue(at, service.spec?.clusterIPs ?? null, fixed));
  if (before.length > now.length && now.length === 1) append(errors, mustBeSingleStack(service, 'ipFamily'));
  return errors;
}

function mustBeSingleStack({ spec }: Service, released: string): FieldError[] {
  const policy = spec?.ipFamilyPolicy;
  return policy === 'SingleStack'
    ? []
    : [
        invalidValue(
          policyPath,
          policy ?? null,
          `must be set to 'SingleStack' when releasing the secondary ${released}`,
        ),
      ];
}
