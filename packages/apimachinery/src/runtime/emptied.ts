/**
 * Maps (and the list of managed fields) that a body gave without entries, by the object that they were left out of: Go keeps them until an object is
 * written, and error texts tell them from maps that are not there. Copies of an object do not have them any more.
 */
const emptied = new WeakMap<object, Set<string>>();

/** Remembers that the member `name` of an object was there, and empty, when it was decoded. */
export function noteEmptied(object: object, name: string): void {
  const names = emptied.get(object);
  if (names === undefined) emptied.set(object, new Set([name]));
  else names.add(name);
}

/** Whether the member `name` of an object was there, and empty, when the object was decoded. */
export function wasEmptied(object: object | undefined, name: string): boolean {
  return object !== undefined && emptied.get(object)?.has(name) === true;
}

/** A map as Go prints it: one that is not there is null. */
export function printedMap<T extends object, K extends keyof T & string>(object: T | undefined, name: K): T[K] | null {
  if (object === undefined) return null;
  return object[name] ?? (wasEmptied(object, name) ? {} as T[K] : null);
}
