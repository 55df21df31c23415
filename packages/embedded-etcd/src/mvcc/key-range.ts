/**
 * The exclusive upper bound of an etcd `[key, range_end)`; `undefined` is no bound.
 *
 * No range end means the one key, so the bound is the next possible key; the
 * range end `\0` means every key from `key` on.
 */
export function upperBound(key: string, rangeEnd: string): string | undefined {
  if (rangeEnd === '') return `${key}\0`;
  return rangeEnd === '\0' ? undefined : rangeEnd;
}

/** Whether `key` lies in `[from, upper)`. */
export function inRange(key: string, from: string, upper: string | undefined): boolean {
  return key >= from && (upper === undefined || key < upper);
}
