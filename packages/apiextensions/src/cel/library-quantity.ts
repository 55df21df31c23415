import { Quantity, isFormatError } from '@kubechain/apimachinery';
import { define } from './functions.ts';
import type { CelFunction } from './functions.ts';
import { CelError, CelOpaque } from './values.ts';

type Made = CelOpaque & { readonly value: Quantity };

const made = (value: Quantity): CelOpaque => new CelOpaque('kubernetes.Quantity', value.toString(), value);

function parse(text: string): CelOpaque {
  try {
    return made(Quantity.parse(text));
  } catch (error) {
    throw isFormatError(error) ? new CelError(error.message) : error;
  }
}

function isQuantity(text: string): boolean {
  try {
    parse(text);
    return true;
  } catch (error) {
    if (error instanceof CelError) return false;
    throw error;
  }
}

function asInteger({ value }: Made): bigint {
  if (!value.isInt64) throw new CelError('cannot convert value to integer');
  return value.wholeValue();
}

/** Quantities (apiserver/cel/library/quantity.go, 1.36). */
export const quantityFunctions: readonly CelFunction[] = [
  define('quantity(string): kubernetes.Quantity', parse),
  define('isQuantity(string): bool', isQuantity),
  define('sign(kubernetes.Quantity): int', (of: Made) => BigInt(of.value.sign)),
  define('kubernetes.Quantity.isInteger(): bool', (of: Made) => of.value.isInt64),
  define('kubernetes.Quantity.asInteger(): int', asInteger),
  define('kubernetes.Quantity.asApproximateFloat(): double', (of: Made) => of.value.toNumber()),
  define('kubernetes.Quantity.isGreaterThan(kubernetes.Quantity): bool', (a: Made, b: Made) => a.value.compare(b.value) > 0),
  define('kubernetes.Quantity.isLessThan(kubernetes.Quantity): bool', (a: Made, b: Made) => a.value.compare(b.value) < 0),
  define('kubernetes.Quantity.compareTo(kubernetes.Quantity): int', (a: Made, b: Made) => BigInt(Math.sign(a.value.compare(b.value)))),
  define('kubernetes.Quantity.add(kubernetes.Quantity): kubernetes.Quantity', (a: Made, b: Made) => made(a.value.add(b.value))),
  define('kubernetes.Quantity.add(int): kubernetes.Quantity', (a: Made, b: bigint) => made(a.value.add(new Quantity(b)))),
  define('kubernetes.Quantity.sub(kubernetes.Quantity): kubernetes.Quantity', (a: Made, b: Made) => made(a.value.sub(b.value))),
  define('kubernetes.Quantity.sub(int): kubernetes.Quantity', (a: Made, b: bigint) => made(a.value.sub(new Quantity(b)))),
];
