import { Quantity } from '@kubechain/apimachinery';
import type { CapacityRequirements, Device, DeviceCapacity } from '@kubechain/apimachinery/types/resource/v1';

/** Amounts of a device's capacities, by name. */
export type Capacities = ReadonlyMap<string, Quantity>;

/**
 * What a request takes of a device's capacities: what it asks for, rounded up to what their policies allow, or their
 * defaults, or all. Undefined: it asks for capacities that the device has not, or for amounts that no policy allows
 * (incubating/consumable_capacity.go, 1.36).
 */
export function consumedOf(
  { capacity = {} }: Device,
  asked: CapacityRequirements | undefined,
): ReadonlyMap<string, Quantity> | undefined {
  const requests = asked?.requests ?? {};
  if (Object.keys(requests).some((name) => capacity[name] === undefined)) return undefined;
  const consumed = new Map<string, Quantity>();
  for (const [name, has] of Object.entries(capacity)) {
    const amount = amountFor(has, requests[name]);
    if (violatesPolicy(amount, has)) return undefined;
    consumed.set(name, amount);
  }
  return consumed;
}

/** Whether a device has that much besides what others have of it. */
export function hasRoom({ capacity = {} }: Device, consumed: Capacities, others: readonly Capacities[]): boolean {
  return [...consumed].every(([name, amount]) => {
    const used = others.reduce((sum, each) => addTo(sum, each.get(name)), amount);
    return used.compare(Quantity.parse(capacity[name]?.value ?? '0')) <= 0;
  });
}

function addTo(sum: Quantity, more: Quantity | undefined): Quantity {
  return more === undefined ? sum : sum.add(more);
}

function amountFor({ requestPolicy: policy, value }: DeviceCapacity, asked: string | undefined): Quantity {
  if (asked === undefined) return Quantity.parse(policy?.default ?? value);
  const wanted = Quantity.parse(asked);
  const { min, step } = policy?.validRange ?? {};
  if (min !== undefined) {
    const least = Quantity.parse(min);
    if (wanted.compare(least) < 0) return least;
    if (step === undefined) return wanted;
    const [from, by] = [whole(least), whole(Quantity.parse(step))];
    return new Quantity(from + by * ceilDiv(whole(wanted) - from, by), 0, 'BinarySI');
  }
  const allowed = (policy?.validValues ?? []).map((each) => Quantity.parse(each));
  return allowed.find((each) => wanted.compare(each) <= 0) ?? wanted;
}

function violatesPolicy(amount: Quantity, { requestPolicy: policy }: DeviceCapacity): boolean {
  if (policy === undefined) return false;
  if (policy.default !== undefined && amount.compare(Quantity.parse(policy.default)) === 0) return false;
  const { max, min = '0', step } = policy.validRange ?? {};
  if (policy.validRange !== undefined) {
    if (max !== undefined && amount.compare(Quantity.parse(max)) > 0) return true;
    return step !== undefined && (whole(amount) - whole(Quantity.parse(min))) % whole(Quantity.parse(step)) !== 0n;
  }
  const values = policy.validValues ?? [];
  return values.length > 0 && !values.some((each) => amount.compare(Quantity.parse(each)) === 0);
}

/** Rounded up to whole units. */
function whole({ scale, value }: Quantity): bigint {
  return scale >= 0 ? value * 10n ** BigInt(scale) : ceilDiv(value, 10n ** BigInt(-scale));
}

function ceilDiv(a: bigint, b: bigint): bigint {
  return a / b + (a % b > 0n ? 1n : 0n);
}
