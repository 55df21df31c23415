/** An object, list, number or short string takes no more, with its place in what it is in; in bytes of V8's heap. */
const valueBytes = 64;
/** What the garbage collector keeps of an owner that is named: a node of its graph, a turn in its queue. */
const ownerBytes = 1_000;
const shortLength = 32;

/**
 * About how many bytes of heap a decoded object takes, rather more than less. JSON says little of it: `{}` is two bytes
 * there, and 56 in memory.
 */
export function weightOf(object: object): number {
  let bytes = ownerBytes * ownersOf(object);
  const pending: unknown[] = [object];
  while (pending.length > 0) {
    const value = pending.pop();
    bytes += valueBytes;
    if (typeof value === 'string') {
      if (value.length > shortLength) bytes += Buffer.byteLength(value);
    } else if (Array.isArray(value)) for (const item of value) pending.push(item);
    else if (typeof value === 'object' && value !== null)
      for (const key in value) {
        if (key.length > shortLength) bytes += Buffer.byteLength(key);
        pending.push((value as Record<string, unknown>)[key]);
      }
  }
  return bytes;
}

function ownersOf(object: { readonly metadata?: { readonly ownerReferences?: readonly unknown[] } }): number {
  return object.metadata?.ownerReferences?.length ?? 0;
}
