import { Quantity } from '@kubechain/apimachinery';
import type { LimitRangeItem } from '@kubechain/apimachinery/types/core/v1';

/** Amounts by resource name. */
export type Amounts = ReadonlyMap<string, Quantity>;

/** Below this, thousandths fit into an int64. */
const largestMilliValue = ((1n << 63n) - 1n) / 1000n;

/**
 * Which limits of one item are not kept, in the reference's words and order: minima, maxima, ratios. `limits` is
 * undefined for what has requests alone.
 */
export function checkRange(item: LimitRangeItem, requests: Amounts, limits: Amounts | undefined): string[] {
  return [
    ...each(item.min, (name, least) => minimum(subject(item, name, least), requests.get(name), limits?.get(name))),
    ...each(item.max, (name, most) =>
      maximum(subject(item, name, most), requests.get(name), limits === undefined ? 'none' : limits.get(name)),
    ),
    ...(limits === undefined
      ? []
      : each(item.maxLimitRequestRatio, (name, most) =>
          ratio(subject(item, name, most), requests.get(name), limits.get(name)),
        )),
  ];
}

interface Subject {
  readonly type: string;
  readonly name: string;
  readonly enforced: Quantity;
}

function subject({ type }: LimitRangeItem, name: string, enforced: Quantity): Subject {
  return { type, name, enforced };
}

function each(
  list: Readonly<Record<string, string>> | undefined,
  check: (name: string, enforced: Quantity) => string | undefined,
): string[] {
  return Object.entries(list ?? {}).flatMap(([name, text]) => check(name, Quantity.parse(text)) ?? []);
}

function minimum(
  { enforced, name, type }: Subject,
  request: Quantity | undefined,
  limit: Quantity | undefined,
): string | undefined {
  const rule = `minimum ${name} usage per ${type} is ${enforced.toString()}`;
  if (request === undefined) return `${rule}.  No request is specified`;
  const [requested, limited, least] = comparable(request, limit, enforced);
  if (requested < least) return `${rule}, but request is ${request.toString()}`;
  return limit !== undefined && limited < least ? `${rule}, but limit is ${limit.toString()}` : undefined;
}

function maximum(
  { enforced, name, type }: Subject,
  request: Quantity | undefined,
  limit: Quantity | 'none' | undefined,
): string | undefined {
  const rule = `maximum ${name} usage per ${type} is ${enforced.toString()}`;
  const [requested, limited, most] = comparable(request, limit === 'none' ? undefined : limit, enforced);
  if (limit === 'none') {
    if (request === undefined) return `${rule}.  No request is specified`;
  } else {
    if (limit === undefined) return `${rule}.  No limit is specified`;
    if (limited > most) return `${rule}, but limit is ${limit.toString()}`;
  }
  return request !== undefined && requested > most ? `${rule}, but request is ${request.toString()}` : undefined;
}

function ratio(
  { enforced, name, type }: Subject,
  request: Quantity | undefined,
  limit: Quantity | undefined,
): string | undefined {
  const rule = `${name} max limit to request ratio per ${type} is ${enforced.toString()}`;
  const [requested, limited] = comparable(request, limit, enforced);
  if (request === undefined || requested === 0n) return `${rule}, but no request is specified or request is 0`;
  if (limit === undefined || limited === 0n) return `${rule}, but no limit is specified or limit is 0`;
  const provided = Number(limited) / Number(requested);
  const whole = int64(enforced.wholeValue());
  const exceeds =
    whole <= largestMilliValue ? provided * 1_000 > Number(int64(enforced.milliValue())) : provided > Number(whole);
  return exceeds ? `${rule}, but provided ratio is ${provided.toFixed(6)}` : undefined;
}

/**
 * What is compared: all in thousandths where they fit, else all in whole units. Beyond an int64 what is left of them in
 * one, as Go's conversion leaves it.
 */
function comparable(
  request: Quantity | undefined,
  limit: Quantity | undefined,
  enforced: Quantity,
): readonly [requested: bigint, limited: bigint, enforced: bigint] {
  const of = (value: (quantity: Quantity) => bigint): readonly [bigint, bigint, bigint] => [
    request === undefined ? 0n : int64(value(request)),
    limit === undefined ? 0n : int64(value(limit)),
    int64(value(enforced)),
  ];
  const whole = of((quantity) => quantity.wholeValue());
  return whole.every((value) => value <= largestMilliValue) ? of((quantity) => quantity.milliValue()) : whole;
}

function int64(value: bigint): bigint {
  return BigInt.asIntN(64, value);
}
