import { isPlainObject } from '@kubechain/apimachinery';

/** What stands at the same place of two values; undefined where nothing does. */
export interface ValuePair {
  readonly was: unknown;
  readonly is: unknown;
  /** `status.phase`, `items[0].spec`; '' for the whole. */
  readonly path: string;
  /** Name of the member that holds them; '' for items of lists, and for the whole. */
  readonly member: string;
}

/**
 * Walks two values of JSON side by side, members in the first one's order, and yields the pairs that differ. `same`
 * decides for what is not a pair of lists or of objects.
 */
export function* differingPairs(pair: ValuePair, same: (pair: ValuePair) => boolean): Generator<ValuePair> {
  const { is, path, was } = pair;
  if (Array.isArray(was) && Array.isArray(is)) {
    for (let i = 0; i < Math.max(was.length, is.length); i++)
      yield* differingPairs({ was: was[i], is: is[i], path: `${path}[${i}]`, member: '' }, same);
  } else if (isPlainObject(was) && isPlainObject(is)) {
    for (const member of new Set([...Object.keys(was), ...Object.keys(is)])) {
      const at = path === '' ? member : `${path}.${member}`;
      yield* differingPairs({ was: was[member], is: is[member], path: at, member }, same);
    }
  } else if (!same(pair)) yield pair;
}
