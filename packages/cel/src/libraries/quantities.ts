import { Quantity, isFormatError } from '@kubechain/apimachinery';
import { define } from '../functions.ts';
import type { CelFunction } from '../functions.ts';
import { CelError, CelOpaque } from '../values/values.ts';
import { succeeds } from './succeeds.ts';

class CelQuantity extends CelOpaque {
  readonly typeName = 'kubernetes.Quantity';
  readonly value: Quantity;
  constructor(value: Quantity) {
    super();
    this.value = value;
  }
  override equals(other: CelOpaque): boolean {
    return other instanceof CelQuantity && other.value.equals(this.value);
  }
  override get text(): string {
    return this.value.toString();
  }
}

/** A quantity as expressions see it. @throws CelError */
export function celQuantity(text: string): CelOpaque {
  return parse(text);
}

function parse(text: string): CelQuantity {
  try {
    return new CelQuantity(Quantity.parse(text));
  } catch (error) {
    throw isFormatError(error) ? new CelError(error.message) : error;
  }
}

function asInteger({ value }: CelQuantity): bigint {
  if (!value.isInt64) throw new CelError('cannot convert value to integer');
  return value.wholeValue();
}

/** Quantities (apiserver/cel/library/quantity.go, 1.36). */
export const quantityFunctions: readonly CelFunction[] = [
  define('quantity(string): kubernetes.Quantity', parse),
  define('isQuantity(string): bool', (text: string) => succeeds(parse, text)),
  define('sign(kubernetes.Quantity): int', ({ value }: CelQuantity) => BigInt(value.sign)),
  define('kubernetes.Quantity.isInteger(): bool', ({ value }: CelQuantity) => value.isInt64),
  define('kubernetes.Quantity.asInteger(): int', asInteger),
  define('kubernetes.Quantity.asApproximateFloat(): double', ({ value }: CelQuantity) => value.toNumber()),
  define(
    'kubernetes.Quantity.isGreaterThan(kubernetes.Quantity): bool',
    (a: CelQuantity, b: CelQuantity) => a.value.compare(b.value) > 0,
  ),
  define(
    'kubernetes.Quantity.isLessThan(kubernetes.Quantity): bool',
    (a: CelQuantity, b: CelQuantity) => a.value.compare(b.value) < 0,
  ),
  define('kubernetes.Quantity.compareTo(kubernetes.Quantity): int', (a: CelQuantity, b: CelQuantity) =>
    BigInt(Math.sign(a.value.compare(b.value))),
  ),
  define(
    'kubernetes.Quantity.add(kubernetes.Quantity): kubernetes.Quantity',
    (a: CelQuantity, b: CelQuantity) => new CelQuantity(a.value.add(b.value)),
  ),
  define(
    'kubernetes.Quantity.add(int): kubernetes.Quantity',
    (a: CelQuantity, b: bigint) => new CelQuantity(a.value.add(new Quantity(b))),
  ),
  define(
    'kubernetes.Quantity.sub(kubernetes.Quantity): kubernetes.Quantity',
    (a: CelQuantity, b: CelQuantity) => new CelQuantity(a.value.sub(b.value)),
  ),
  define(
    'kubernetes.Quantity.sub(int): kubernetes.Quantity',
    (a: CelQuantity, b: bigint) => new CelQuantity(a.value.sub(new Quantity(b))),
  ),
];
