import { FieldPath, invalid, invalidValue } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { Service } from '@kubechain/apimachinery/types/core/v1';
import { validateClusterIPs } from './cluster-ips-validation.ts';
import { familyOf } from './ip-range.ts';
import type { IPFamily } from './ip-range.ts';
import { headless, sameClusterIPs, sameList, specOf } from './service-view.ts';

const specPath = FieldPath.of('spec');
const policyPath = specPath.child('ipFamilyPolicy');

/**
 * Dual-stack services that only *prefer* it, with the addresses they had, stay as they are when the cluster's families
 * change.
 */
export function keepsPreferredFamilies(service: Service, old: Service | undefined): boolean {
  if (old === undefined || service.spec?.ipFamilyPolicy !== 'PreferDualStack') return false;
  const { spec } = service;
  const oldPolicy = old.spec?.ipFamilyPolicy;
  return (
    old.spec?.type === spec.type &&
    spec.type !== 'ExternalName' &&
    (oldPolicy === undefined || oldPolicy === 'PreferDualStack') &&
    sameList(old.spec?.clusterIPs, spec.clusterIPs) &&
    sameList(old.spec?.ipFamilies, spec.ipFamilies)
  );
}

/**
 * Fills in ipFamilyPolicy and ipFamilies from what the client has said and what the cluster has, before addresses are
 * looked for
 * (initIPFamilyFields of pkg/registry/core/service/storage, 1.36). `families`: the cluster's, the default first.
 * Addresses are in their canonical form, unless `strictAddresses` is false.
 * @throws StatusError Invalid
 */
export function fillIPFamilies(
  service: Service,
  old: Service | undefined,
  {
    families,
    strictAddresses,
  }: { readonly families: readonly [IPFamily, ...IPFamily[]]; readonly strictAddresses?: boolean },
): void {
  const spec = specOf(service);
  if (spec.type === 'ExternalName' || keepsPreferredFamilies(service, old)) return;
  spec.ipFamilyPolicy ??=
    old?.spec?.ipFamilyPolicy ?? (isSelectorlessHeadless(service) ? 'RequireDualStack' : 'SingleStack');
  refuse(service, validateClusterIPs(service, old, strictAddresses));

  const errors = [...(old === undefined ? [] : releaseSecondary(service, old)), ...singleStackErrors(service)];
  const known = (spec.ipFamilies ??= []) as IPFamily[];
  (spec.clusterIPs ?? []).forEach((ip, i, ips) => {
    if (ip === headless || ips[0] === headless || i < known.length) return;
    const family = familyOf(ip);
    if (families.includes(family)) known.push(family);
    else
      errors.push(
        invalidValue(specPath.child('clusterIPs').index(i), ips, `${family} is not configured on this cluster`),
      );
  });
  refuse(service, errors);

  // Without a selector the endpoints may be of any family, whatever the cluster has.
  const anyFamily = isSelectorlessHeadless(service);
  if (!anyFamily) refuse(service, clusterErrors(service, families));
  if (known.length === 0) known.push(families[0]);
  if (spec.ipFamilyPolicy !== 'SingleStack' && known.length === 1 && (anyFamily || families.length === 2))
    known.push(known[0] === 'IPv4' ? 'IPv6' : 'IPv4');
}

function isSelectorlessHeadless({ spec }: Service): boolean {
  return spec?.clusterIP === headless && Object.keys(spec.selector ?? {}).length === 0;
}

/** To drop the second address it is enough to say SingleStack; other policies must not lose one. */
function releaseSecondary(service: Service, old: Service): FieldError[] {
  const spec = specOf(service);
  const oldSpec = specOf(old);
  if (spec.ipFamilyPolicy === 'SingleStack') {
    if (sameClusterIPs(old, service) && (spec.clusterIPs?.length ?? 0) > 1)
      spec.clusterIPs = (spec.clusterIPs ?? []).slice(0, 1);
    if (sameList(oldSpec.ipFamilies, spec.ipFamilies) && (spec.ipFamilies?.length ?? 0) > 1)
      spec.ipFamilies = (spec.ipFamilies ?? []).slice(0, 1);
    return [];
  }
  const fewer = (now: readonly string[] = [], before: readonly string[] = []): boolean =>
    now.length > 0 && now.length < before.length;
  return [
    ...(fewer(spec.clusterIPs, oldSpec.clusterIPs)
      ? [invalidValue(policyPath, spec.ipFamilyPolicy, "must be 'SingleStack' to release the secondary cluster IP")]
      : []),
    ...(fewer(spec.ipFamilies, oldSpec.ipFamilies)
      ? [invalidValue(policyPath, spec.ipFamilyPolicy, "must be 'SingleStack' to release the secondary IP family")]
      : []),
  ];
}

function singleStackErrors({ spec }: Service): FieldError[] {
  if (spec?.ipFamilyPolicy !== 'SingleStack') return [];
  const error = (what: string): FieldError =>
    invalidValue(
      policyPath,
      spec.ipFamilyPolicy,
      `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`,
    );
  return [
    ...(spec.clusterIPs?.length === 2 ? [error('cluster IPs')] : []),
    ...(spec.ipFamilies?.length === 2 ? [error('IP families')] : []),
  ];
}

function clusterErrors({ spec }: Service, families: readonly IPFamily[]): FieldError[] {
  return [
    ...(spec?.ipFamilyPolicy === 'RequireDualStack' && families.length < 2
      ? [invalidValue(policyPath, spec.ipFamilyPolicy, 'this cluster is not configured for dual-stack services')]
      : []),
    ...(spec?.ipFamilies ?? []).flatMap((family, i) =>
      families.includes(family as IPFamily)
        ? []
        : [invalidValue(specPath.child('ipFamilies').index(i), family, 'not configured on this cluster')],
    ),
  ];
}

/** @throws StatusError when there are errors */
function refuse(service: Service, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid({ group: '', kind: 'Service' }, service.metadata?.name ?? '', errors);
}
