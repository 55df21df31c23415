import { addressBits, parseCIDR, parseIPAddress } from '@kubechain/apimachinery';
import type { IPAddress, ServiceCIDR } from '@kubechain/apimachinery/types/networking/v1';

type Range = NonNullable<ReturnType<typeof parseCIDR>>;

const managedBy = 'ipaddress.kubernetes.io/managed-by';
const allocator = 'ipallocator.k8s.io';

/** Whether one range lies within another, or is the same. */
function isWithin(inner: Range, outer: Range): boolean {
  const bits = BigInt(addressBits(outer.address.family) - outer.prefix);
  return (
    inner.address.family === outer.address.family &&
    inner.prefix >= outer.prefix &&
    inner.network >> bits === outer.network >> bits
  );
}

function rangesOf({ spec }: ServiceCIDR): readonly Range[] {
  return (spec?.cidrs ?? []).flatMap((text) => parseCIDR(text) ?? []);
}

function isNamed(one: ServiceCIDR, { metadata }: ServiceCIDR): boolean {
  return one.metadata?.name === metadata?.name;
}

/** Those that have addresses in common with one. */
export function overlapping(one: ServiceCIDR, all: readonly ServiceCIDR[]): readonly ServiceCIDR[] {
  const own = rangesOf(one);
  return all.filter((other) =>
    rangesOf(other).some((range) => own.some((mine) => isWithin(range, mine) || isWithin(mine, range))),
  );
}

/** Those that an address of a Service belongs to; none for addresses that Services did not ask for. */
export function containing({ metadata }: IPAddress, all: readonly ServiceCIDR[]): readonly ServiceCIDR[] {
  const address = parseIPAddress(metadata?.name ?? '');
  if (address === undefined || metadata?.labels?.[managedBy] !== allocator) return [];
  return all.filter((cidr) =>
    rangesOf(cidr).some((range) => {
      const bits = BigInt(addressBits(range.address.family) - range.prefix);
      return range.address.family === address.family && range.network >> bits === address.value >> bits;
    }),
  );
}

/** Whether no address would be left without a ServiceCIDR if one went. */
export function isDispensable(
  one: ServiceCIDR,
  { addresses, all }: { readonly all: readonly ServiceCIDR[]; readonly addresses: readonly IPAddress[] },
): boolean {
  const others = all.filter((other) => !isNamed(other, one));
  const isCovered = rangesOf(one).every((range) =>
    others.some((other) => rangesOf(other).some((outer) => isWithin(range, outer))),
  );
  return (
    isCovered ||
    !addresses.some((address) => {
      const [first, second] = containing(address, all);
      return first !== undefined && second === undefined && isNamed(first, one);
    })
  );
}
