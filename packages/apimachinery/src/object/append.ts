/**
 * Puts all of `items` at the end of `list`. `list.push(...items)` passes each as an argument, and so fails with a
 * RangeError for a hundred thousand of them: right only where the sources say how many there are.
 */
export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}
