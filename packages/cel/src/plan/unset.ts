import { GrowingList, GrowingMap, isList, isMap } from '../values/values.ts';

/** Stands in an accumulator's slot until it is read. */
export const unset = Symbol('unset');

/** What an accumulator starts with: an empty list or map of its own, which may grow. */
export function startValue(value: unknown): unknown {
  if (isList(value) && value.size === 0) return new GrowingList();
  return isMap(value) && value.size === 0 ? new GrowingMap() : value;
}
