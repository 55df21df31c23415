import { FieldPath, invalidValue, parseCIDR, printed, required, validateCIDR } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { ServiceCIDR } from '@kubechain/apimachinery/types/networking/v1';
import { internalForm } from '../../validation/internal-form.ts';

const cidrsPath = FieldPath.of('spec', 'cidrs');
const fixed = 'field is immutable';

/** One CIDR, or one of each family (ValidateServiceCIDR of pkg/apis/networking/validation, 1.36). */
export function validateServiceCIDR({ spec }: ServiceCIDR): FieldError[] {
  const cidrs = spec?.cidrs ?? [];
  if (cidrs.length === 0) return [required(cidrsPath, 'at least one CIDR required')];
  if (cidrs.length > 2)
    return [invalidValue(cidrsPath, internalForm('networking.ServiceCIDRSpec', spec), 'may only hold up to 2 values')];
  const errors = cidrs.flatMap((cidr, i) => validateCIDR(cidrsPath.index(i), cidr));
  const [first, second] = cidrs.map((cidr) => parseCIDR(cidr)?.address.family);
  if (first !== undefined && first === second)
    errors.push(
      invalidValue(
        cidrsPath,
        cidrs,
        'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64',
      ),
    );
  return errors;
}

/** CIDRs stay; one of another family may be added (ValidateServiceCIDRUpdate). */
export function validateServiceCIDRUpdate(cidr: ServiceCIDR, old: ServiceCIDR): FieldError[] {
  const now = cidr.spec?.cidrs ?? [];
  const before = old.spec?.cidrs ?? [];
  if (now.length === before.length)
    return before.flatMap((range, i) => (range === now[i] ? [] : [invalidValue(cidrsPath.index(i), now[i], fixed)]));
  if (before.length === 1 && now.length === 2)
    return [
      ...(now[0] === before[0] ? [] : [invalidValue(cidrsPath.index(0), now[0], fixed)]),
      ...validateServiceCIDR(cidr),
    ];
  return [invalidValue(cidrsPath, printed(cidr.spec, 'cidrs'), fixed)];
}
