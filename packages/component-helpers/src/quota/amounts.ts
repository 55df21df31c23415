import { Quantity } from '@kubechain/apimachinery';

/** Quantities by resource name. */
export type Amounts = ReadonlyMap<string, Quantity>;

const zero = new Quantity(0n);

/** A resource list as objects hold it, read. */
export function parseAmounts(list: Readonly<Record<string, string>> | undefined): Map<string, Quantity> {
  return new Map(Object.entries(list ?? {}).map(([name, text]) => [name, Quantity.parse(text)]));
}

/** The same as texts. */
export function formatAmounts(amounts: Amounts): Record<string, string> {
  return Object.fromEntries([...amounts].map(([name, quantity]) => [name, quantity.toString()]));
}

/** The sum by name (quota.Add). */
export function addAmounts(a: Amounts, b: Amounts): Map<string, Quantity> {
  const sum = new Map(a);
  for (const [name, quantity] of b) sum.set(name, sum.get(name)?.add(quantity) ?? quantity);
  return sum;
}

/** What `a` has more of than `b`; never less than nothing. */
export function growth(a: Amounts, b: Amounts): Map<string, Quantity> {
  return new Map(
    [...a].map(([name, quantity]) => {
      const more = quantity.sub(b.get(name) ?? zero);
      return [name, more.sign < 0 ? zero : more];
    }),
  );
}

/** The entries of these names. */
export function maskAmounts(amounts: Amounts, names: ReadonlySet<string>): Map<string, Quantity> {
  return new Map([...amounts].filter(([name]) => names.has(name)));
}

/** What there is some of (quota.RemoveZeros). */
export function withoutZeros(amounts: Amounts): Map<string, Quantity> {
  return new Map([...amounts].filter(([, quantity]) => !quantity.isZero));
}

/** Names of which there is more than `limit` allows; what it does not name has no limit. */
export function exceeding(amounts: Amounts, limit: Amounts): string[] {
  return [...amounts].flatMap(([name, quantity]) => (quantity.compare(limit.get(name) ?? quantity) > 0 ? [name] : []));
}

/** `cpu=1,pods=3`, by name. */
export function describeAmounts(amounts: Amounts): string {
  return [...amounts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, quantity]) => `${name}=${quantity.toString()}`)
    .join(',');
}
