/**
 * The exclusive end of the range of all keys that start with `prefix` (clientv3.GetPrefixRangeEnd).
 * Prefixes of the storage end in an ASCII character (`/`), so its successor is text too.
 */
export function prefixRangeEnd(prefix: string): string {
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
}
