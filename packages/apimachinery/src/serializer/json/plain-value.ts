import { FormatError } from '../../errors/format-error.ts';
import type { JSONValue } from '../../object/object.ts';
import { RawNumber, RawObject } from './tree.ts';
import type { RawValue } from './tree.ts';

const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);
/** With a sign; JSON has no zeros in front. */
const MAX_DIGITS = 20;

/** Sets a member also when it is called `__proto__`. */
export function setMember(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
}

/** A number as Go keeps it in an untyped field: int64 (bigint beyond 2^53) if written as an integer, else float64. */
export function plainNumber(text: string): number | bigint {
  if (text === '-0') return 0;
  const value = Number(text);
  // Nor does an int64 have so many digits: reading millions of them as one takes the better part of a second.
  if (text.length > MAX_DIGITS || Number.isSafeInteger(value) || !/^-?\d+$/.test(text)) return value;
  const exact = BigInt(text);
  return exact > MAX_INT64 || exact < MIN_INT64 ? value : exact;
}

/** Called for each duplicate key of untyped objects, with the object's path and the key. */
export type DuplicateSink = (path: readonly (string | number)[], key: string) => void;

/**
 * An untyped value (map[string]interface{} and the like); the last of duplicate keys wins.
 * @throws FormatError for a number beyond what doubles hold
 */
export function plainValue(raw: RawValue, path: (string | number)[] = [], duplicate?: DuplicateSink): JSONValue {
  if (raw === null || typeof raw === 'boolean' || typeof raw === 'string') return raw;
  if (raw instanceof RawNumber) {
    const value = plainNumber(raw.text);
    if (Math.abs(Number(value)) === Number.POSITIVE_INFINITY)
      throw new FormatError(`json: cannot unmarshal number ${raw.text} into Go value of type float64`);
    return value;
  }
  if (Array.isArray(raw)) return raw.map((item, i) => nested(item, i, path, duplicate));
  const object: Record<string, JSONValue> = {};
  for (let i = 0; i < raw.keys.length; i++) {
    const key = raw.keys[i] ?? '';
    if (duplicate !== undefined && Object.hasOwn(object, key)) duplicate(path, key);
    setMember(object, key, nested(raw.values[i] ?? null, key, path, duplicate));
  }
  return object;
}

function nested(
  raw: RawValue,
  step: string | number,
  path: (string | number)[],
  duplicate: DuplicateSink | undefined,
): JSONValue {
  path.push(step);
  const value = plainValue(raw, path, duplicate);
  path.pop();
  return value;
}

/** The JSON type of a raw value as Go's decode errors name it. */
export function goKind(raw: RawValue): string {
  if (raw === null) return 'null';
  if (typeof raw === 'boolean') return 'bool';
  if (typeof raw === 'string') return 'string';
  if (raw instanceof RawNumber) return 'number';
  return raw instanceof RawObject ? 'object' : 'array';
}
