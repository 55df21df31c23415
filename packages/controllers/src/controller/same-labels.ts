import type { WithMetadata } from '../informers/with-metadata.ts';

/** Whether two objects, or an object and what it was, have the same labels. */
export function haveSameLabels({ metadata: a }: WithMetadata, { metadata: b }: WithMetadata): boolean {
  const [left, right] = [a?.labels ?? {}, b?.labels ?? {}];
  if (left === right) return true;
  const names = Object.keys(left);
  return names.length === Object.keys(right).length && names.every((name) => left[name] === right[name]);
}
