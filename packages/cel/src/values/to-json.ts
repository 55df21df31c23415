import { durationText, timestampText } from './time.ts';
import { CelDuration, CelError, CelOpaque, CelTime, CelUint, isList, isMap, itemsOf, typeNameOf } from './values.ts';

/**
 * A value of an expression as plain JSON; integers beyond 2^53 are bigint. @throws CelError for what JSON cannot say
 */
export function jsonOf(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof CelUint) return jsonOf(value.value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (value instanceof CelTime) return timestampText(value);
  if (value instanceof CelDuration) return durationText(value);
  if (isList(value)) return itemsOf(value).map(jsonOf);
  if (isMap(value)) return Object.fromEntries([...value.keys()].map((key) => [keyOf(key), jsonOf(value.get(key))]));
  if (value instanceof CelOpaque && 'fields' in value)
    return Object.fromEntries(
      [...(value.fields as ReadonlyMap<string, unknown>)].map(([name, field]) => [name, jsonOf(field)]),
    );
  throw new CelError(`${typeNameOf(value)} cannot be written as JSON`);
}

function keyOf(key: unknown): string {
  if (typeof key !== 'string') throw new CelError(`map key "${String(key)}" is not a string`);
  return key;
}
