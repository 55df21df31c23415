import { define } from './functions.ts';
import type { CelFunction } from './functions.ts';
import { CelError, CelOptional } from './values.ts';

const isZero = (value: unknown): boolean => value === '' || value === 0n || value === 0 || value === false || value === null || (typeof value === 'object' && 'size' in value && value.size === 0);

/** Optional values. */
export const optionalFunctions: readonly CelFunction[] = [
  define('optional.of(A): optional_type(A)', (value: unknown) => new CelOptional(value)),
  define('optional.none(): optional_type(A)', () => CelOptional.none),
  define('optional.ofNonZeroValue(A): optional_type(A)', (value: unknown) => (isZero(value) ? CelOptional.none : new CelOptional(value))),
  define('optional_type(A).hasValue(): bool', (of: CelOptional) => of.present),
  define('optional_type(A).value(): A', (of: CelOptional) => { if (!of.present) throw new CelError('optional.none() dereference'); return of.value; }),
  define('optional_type(A).or(optional_type(A)): optional_type(A)', (of: CelOptional, other: CelOptional) => (of.present ? of : other)),
  define('optional_type(A).orValue(A): A', (of: CelOptional, other: unknown) => (of.present ? of.value : other)),
];
