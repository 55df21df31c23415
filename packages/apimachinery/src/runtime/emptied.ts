/**
 * Maps and lists that a body gave without entries, by the object that they were left out of: Go keeps them until an object
 * is written, and error texts tell them from ones that are not there. Copies of an object do not have them any more.
 */
const emptied = new WeakMap<object, Map<string, 'map' | 'list'>>();

/** Remembers that the map or list `name` of an object was there, and empty, when it was decoded. */
export function noteEmptied(object: object, name: string, kind: 'map' | 'list'): void {
  const names = emptied.get(object);
  if (names === undefined) emptied.set(object, new Map([[name, kind]]));
  else names.set(name, kind);
}

/** Whether the member `name` of an object was there, and empty, when the object was decoded. */
export function wasEmptied(object: object | undefined, name: string): boolean {
  return object !== undefined && emptied.get(object)?.has(name) === true;
}

/** A map or list as Go prints it: one that is not there is null. */
export function printed<T extends object, K extends keyof T & string>(object: T | undefined, name: K): NonNullable<T[K]> | null {
  if (object === undefined) return null;
  const kind = emptied.get(object)?.get(name);
  return object[name] ?? (kind === undefined ? null : (kind === 'map' ? {} : []) as NonNullable<T[K]>);
}
