import { define } from '../functions.ts';
import type { CelFunction } from '../functions.ts';
import { displayText } from '../values/display.ts';
import { CelError, EntryMap, GrowingMap, mapKey } from '../values/values.ts';
import type { CelMap } from '../values/values.ts';

/** A map with one more entry; what comprehensions collect grows in place. @throws CelError for a key that is there */
function insert(map: CelMap, key: unknown, value: unknown): CelMap {
  if (map.get(key) !== undefined) throw new CelError(`insert failed: key ${displayText(key)} already exists`);
  if (!(map instanceof GrowingMap))
    return EntryMap.of([...[...map.keys()].map((known) => [known, map.get(known)] as const), [key, value]]);
  map.entries.set(mapKey(key), [key, value]);
  return map;
}

function insertAll(map: CelMap, entries: CelMap): CelMap {
  let made = map;
  for (const key of entries.keys()) made = insert(made, key, entries.get(key));
  return made;
}

/** What transformMap and transformMapEntry are made of (cel-go ext/comprehensions.go). */
export const comprehensionFunctions: readonly CelFunction[] = [
  define('cel.@mapInsert(map(K, V), K, V): map(K, V)', insert),
  define('cel.@mapInsert(map(K, V), map(K, V)): map(K, V)', insertAll),
];
