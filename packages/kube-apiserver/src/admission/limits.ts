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
  if (less(request, enforced)) return `${rule}, but request is ${request.toString()}`;
  return limit !== undefined && less(limit, enforced) ? `${rule}, but limit is ${limit.toString()}` : undefined;
}

function maximum(
  { enforced, name, type }: Subject,
  request: Quantity | undefined,
  limit: Quantity | 'none' | undefined,
): string | undefined {
  const rule = `maximum ${name} usage per ${type} is ${enforced.toString()}`;
  if (limit === 'none') {
    if (request === undefined) return `${rule}.  No request is specified`;
  } else {
    if (limit === undefined) return `${rule}.  No limit is specified`;
    if (less(enforced, limit)) return `${rule}, but limit is ${limit.toString()}`;
  }
  return request !== undefined && less(enforced, request) ? `${rule}, but request is ${request.toString()}` : undefined;
}

function ratio(
  { enforced, name, type }: Subject,
  request: Quantity | undefined,
  limit: Quantity | undefined,
): string | undefined {
  const rule = `${name} max limit to request ratio per ${type} is ${enforced.toString()}`;
  if (request === undefined || request.isZero) return `${rule}, but no request is specified or request is 0`;
  if (limit === undefined || limit.isZero) return `${rule}, but no limit is specified or limit is 0`;
  const provided = Number(limit.milliValue()) / Number(request.milliValue());
  return provided > Number(enforced.milliValue()) / 1000
    ? `${rule}, but provided ratio is ${provided.toFixed(6)}`
    : undefined;
}

/** Compared in thousandths where they fit, else in whole units. */
function less(a: Quantity, b: Quantity): boolean {
  return a.wholeValue() <= largestMilliValue && b.wholeValue() <= largestMilliValue
    ? a.milliValue() < b.milliValue()
    : a.wholeValue() < b.wholeValue();
}
