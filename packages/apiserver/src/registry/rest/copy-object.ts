/**
 * A deep copy of JSON data (plain objects, arrays, scalars, bigint): what hooks that may change their object get.
 * Several times as fast as structuredClone on API objects.
 */
export function copyObject<T>(value: T): T {
  return copyValue(value) as T;
}

function copyValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const list: unknown[] = Array.from({ length: value.length });
    for (let i = 0; i < value.length; i++) list[i] = copyValue(value[i]);
    return list;
  }
  const source = value as Record<string, unknown>;
  const copy: Record<string, unknown> = {};
  for (const key in source) {
    const member = copyValue(source[key]);
    // A plain assignment to __proto__ would change the copy's prototype instead of adding a member.
    if (key === '__proto__') Object.defineProperty(copy, key, { value: member, enumerable: true, configurable: true, writable: true });
    else copy[key] = member;
  }
  return copy;
}
